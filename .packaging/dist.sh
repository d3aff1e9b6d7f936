#!/bin/sh
# dist.sh: the sources as a tarball that is the same wherever and whenever it is made, its checksum, and its bill of materials.
# Usage: dist.sh VERSION DIRECTORY, in the directory of the sources
#
# A checkout gives the files that git knows, as they are; a tree without git gives all of its files. Times are the date
# of the release in docs/CHANGELOG.md.
set -eu
version=$1 out=$2
name=msprof-$version
day=$(sed -n "s/^## \[$version\] - //p" docs/CHANGELOG.md)
[ -n "$day" ] || { echo "dist: docs/CHANGELOG.md has no date of version $version" >&2; exit 1; }

files() {
	if [ -e .git ]; then
		git ls-files -z
	else
		find . -path ./build -prune -o -name __pycache__ -prune -o -type f -printf '%P\0' -o -type l -printf '%P\0'
	fi
}

mkdir -p "$out"
files | LC_ALL=C sort -z >"$out/files"
tar --create --file "$out/$name.tar" --format=ustar --no-recursion --mtime "$day 00:00:00 UTC" --owner=0 --group=0 --numeric-owner \
	--mode='u=rwX,go=rX' --transform "s,^,$name/,S" --null --files-from "$out/files"
gzip -n -9 -f "$out/$name.tar"
rm "$out/files"
sum=$(sha256sum <"$out/$name.tar.gz" | cut -d' ' -f1)
awk -v name=msprof -v version="$version" -v day="$day" -v sum="$sum" -f .packaging/sbom.awk .packaging/parts.txt >"$out/$name.spdx.json.part"
mv "$out/$name.spdx.json.part" "$out/$name.spdx.json"
(cd "$out" && sha256sum "$name.tar.gz" "$name.spdx.json" >"$name.sha256.part" && mv "$name.sha256.part" "$name.sha256")
echo "$out/$name.tar.gz"
