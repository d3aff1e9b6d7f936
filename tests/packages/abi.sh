#!/bin/sh
# abi.sh: the ABI of the libraries that applications link, as libabigail's XML: exported calls and the types of the public headers.
# Usage: abi.sh dump DIR      write the ABI of the libraries in DIR, a build of this machine with debug information, to tests/packages/abi
#        abi.sh diff DIR [DUMPS]    print what differs from the dumps; exit status 0 where nothing does
set -eu

here=$(cd "$(dirname "$0")" && pwd)
headers=$here/../../lib/recorder/include
dumps=${3:-$here/abi}

for library in libmsprof_recorder.so.0 libmsprof_aclprof.so.0 libmsprof_svp.so.0 libms_tools_ext.so; do
	dump=$dumps/${library%%.so*}.abi
	case $1 in
	dump) abidw --suppressions "$here/abi/private.ini" --headers-dir "$headers" --exported-interfaces-only --drop-private-types \
		--drop-undefined-syms --no-parameter-names --no-write-default-sizes --no-corpus-path --no-comp-dir-path --no-show-locs \
		--no-elf-needed --type-id-style hash --out-file "$dump" "$2/$library" ;;
	# a type of the dump has no place: with a choice by headers, changes of types would be filtered out
	diff) abidiff --suppressions "$here/abi/private.ini" --no-show-locs "$dump" "$2/$library" || different=1 ;;
	esac
done
exit "${different:-0}"
