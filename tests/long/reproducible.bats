#!/usr/bin/env bats
# reproducible.bats: the same sources give the same bytes in another directory, with other rights, places and times.

load ../cli/helpers

setup() {
	:
}

# built DIR UMASK ZONE LANGUAGE DATE: the program and the libraries, built from a copy of the sources in DIR
built() {
	local dir=$1
	mkdir -p "$dir/sources" "$dir/tmp"
	cp -r "$ROOT"/{Makefile,msprof.1,cli,docs,lib,schema} "$dir/sources"
	find "$dir/sources" -exec touch -d "$5" {} +
	(umask "$2" && TMPDIR=$dir/tmp TZ=$3 LC_ALL=$4 make -s -C "$dir/sources" -j2 BUILD=build CJSON="$BUILD/source/cjson" CFLAGS='-O1 -g' all)
}

@test "two builds of the same sources are the same, byte for byte" {
	one=$BATS_TEST_TMPDIR/one two=$BATS_TEST_TMPDIR/a/directory/with/a/longer/name
	built "$one" 0022 UTC C "2020-01-01"
	built "$two" 0077 Asia/Tokyo C.UTF-8 "2024-05-06"
	count=0
	for file in "$one"/sources/build/msprof "$one"/sources/build/*.so.0 "$one"/sources/build/*preload.so "$one"/sources/build/*.a; do
		cmp "$file" "$two/sources/build/${file##*/}"
		lacks "$(strings -a "$file")" "$BATS_TEST_TMPDIR"
		count=$((count + 1))
	done
	[ "$count" -ge 8 ]
}

@test "a build outside the sources is the same" {
	dir=$BATS_TEST_TMPDIR/outside
	mkdir "$dir"
	make -s -C "$ROOT" -j2 BUILD="$dir/here" CFLAGS='-O1 -g' "$dir/here/msprof"
	make -s -C "$ROOT" -j2 BUILD="$dir/there/build" CFLAGS='-O1 -g' "$dir/there/build/msprof"
	cmp "$dir/here/msprof" "$dir/there/build/msprof"
}
