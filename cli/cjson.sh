#!/bin/sh
# cjson.sh: cJSON's source as DIR/cjson, for what contains cJSON: static programs, and the libraries that applications link. Debian has
# no static library of it.
# Usage: cjson.sh DIR [SOURCE]: SOURCE is a directory with cJSON.c, cJSON.h and LICENSE; else Debian's source package is fetched
set -eu

dir=$1 source=${2:-}
# shellcheck source=cli/apt.sh
. "$(dirname "$0")/apt.sh"

# the source with Debian's patches
fetch() {
	cd "$dir/fetch" && private_apt deb-src Debian Ubuntu && { apt-get update -qq || :; } && apt-get source -qq cjson
}

if [ -z "$source" ]; then
	mkdir -p "$dir/fetch"
	(fetch) >"$dir/fetch/log" 2>&1 || {
		tail -n 2 "$dir/fetch/log" >&2
		echo "cjson.sh: cannot fetch cJSON's source; with CJSON=DIR make takes cJSON.c, cJSON.h and LICENSE from there" >&2
		exit 1
	}
	for source in "$dir"/fetch/cjson-*/; do :; done
fi
mkdir -p "$dir/cjson"
cp "$source/cJSON.h" "$source/LICENSE" "$dir/cjson"
cp "$source/cJSON.c" "$dir/cjson/cJSON.c.part"
mv "$dir/cjson/cJSON.c.part" "$dir/cjson/cJSON.c"
