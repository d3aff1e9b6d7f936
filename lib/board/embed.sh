#!/bin/sh
# embed.sh ROOM: write the scripts of lib/board/ROOM as C texts, without comments and indentation, to stdout.
set -eu
cd "$(dirname "$0")/$1"
for file in *.sh; do
	printf '\nconst char mp_sh_%s[] =\n' "${file%.sh}"
	sed -e '/^[[:blank:]]*#/d' -e '/^[[:blank:]]*$/d' -e 's/^[[:blank:]]*//' \
		-e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/\t"/' -e 's/$/\\n"/' "$file"
	printf '\t;\n'
done
