#!/bin/sh
# embed.sh: write the files of the given folders, or of all, as the C table of lib/base/schema.h, to stdout.
# Usage: embed.sh [--packed] [--without FOLDER[,FOLDER]...] [FOLDER...]. Packed texts are one stream of gzip, which the program unpacks
# when it starts.
set -eu
cd "$(dirname "$0")"
packed='' without=' ' # no path has a blank
if [ "${1:-}" = --packed ]; then
	packed=$1
	shift
fi
if [ "${1:-}" = --without ]; then
	without="^($(echo "$2" | tr , '|'))"
	shift 2
fi
[ $# -gt 0 ] || set -- records pipe sql reports complete learn insight text help page aggregate beside cluster pytorch fleet/lake fleet/rows mcp

files() {
	find "$@" -name '*.rec' -o -name '*.sql' -o -name '*.txt' -o \
		-name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.json' -o -name '*.md' | grep -vE "$without" | LC_ALL=C sort
}

# each text ends with NUL
texts() {
	files "$@" | while read -r path; do
		cat "$path"
		printf '\0'
	done
}

printf '#include "base/schema.h"\n\n#include <stddef.h>\n\n'
if [ "$packed" ]; then
	size=$(texts "$@" | wc -c)
	printf 'static char texts[%s];\n\nstatic const unsigned char packed[] = {\n' "$size"
	texts "$@" | gzip -9n | od -An -v -tu1 | sed -e 's/^ *//' -e 's/  */,/g' -e 's/$/,/'
	printf '};\n\nconst struct mp_schema_pack mp_schema_pack = {packed, sizeof(packed), texts, sizeof(texts)};\n\n'
	printf 'const struct mp_schema_file mp_schema_files[] = {\n'
	at=0
	files "$@" | while read -r path; do
		printf '\t{"%s", texts + %s},\n' "$path" "$at"
		at=$((at + $(wc -c <"$path") + 1))
	done
else
	printf 'const struct mp_schema_pack mp_schema_pack = {NULL, 0, NULL, 0};\n\nconst struct mp_schema_file mp_schema_files[] = {\n'
	# a question mark may begin a trigraph
	files "$@" | while read -r path; do
		printf '\t{"%s",\n' "$path"
		sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/^/\t "/' -e 's/$/\\n"/' "$path"
		printf '\t},\n'
	done
fi
printf '\t{NULL, NULL},\n};\nconst size_t mp_schema_file_count = sizeof(mp_schema_files) / sizeof(mp_schema_files[0]) - 1;\n'
