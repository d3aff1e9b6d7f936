#!/bin/sh
# embed.sh: writes the files of schema/, or of some of its folders, as the C table of lib/base/schema.h, to stdout.
# Usage: embed.sh [FOLDER...]
set -eu
cd "$(dirname "$0")"
# a question mark may begin a trigraph
printf '#include "base/schema.h"\n\n#include <stddef.h>\n\nconst struct mp_schema_file mp_schema_files[] = {\n'
[ $# -gt 0 ] || set -- records pipe sql reports learn insight page
find "$@" -name '*.rec' -o -name '*.sql' -o -name '*.txt' -o \
	-name '*.html' -o -name '*.css' -o -name '*.js' | LC_ALL=C sort | while read -r path; do
	printf '\t{"%s",\n' "$path"
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/^/\t "/' -e 's/$/\\n"/' "$path"
	printf '\t},\n'
done
printf '\t{NULL, NULL},\n};\n'
