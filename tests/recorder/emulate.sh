#!/bin/bash
# emulate.sh: a build directory whose programs are those of a board's processor, each started under an emulator.
# Usage: emulate.sh BUILD CROSS_BUILD DIR EMULATOR. Generators of test data are this machine's.
set -eu
build=$(realpath "$1") cross=$(realpath "$2") dir=$3 emulator=$(command -v "$4")
# shellcheck source=tests/scratch.bash
. "$(dirname "$0")/../scratch.bash"
discard_build "${dir%/*}" "${dir##*/}"
mkdir -p "$dir/tests"
ln -s "$cross"/libms*_* "$cross"/msprof_wrap.rsp "$build"/man? "$dir"
ln -s "$build"/tests/gen* "$build"/tests/goturn "$dir/tests"
mkdir "$dir/tests/board"
ln -s "$build/tests/board/proxy" "$dir/tests/board" # a network between board and host

find "$cross/msprof" "$cross/tests" -type f ! -name "*.o" -perm /100 ! -name '*.so' | while read -r program; do
	wrapper=$dir/${program#"$cross"/}
	mkdir -p "${wrapper%/*}"
	printf '#!/bin/sh\nexec %s %s "$@"\n' "$emulator" "$program" >"$wrapper"
	chmod 0755 "$wrapper"
done
mkdir -p "$dir/tests/stub"
ln -s "$cross"/tests/stub/*.so "$dir/tests/stub"
