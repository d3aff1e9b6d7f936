#!/bin/sh
# list_jobs.sh DIR...: print the JOB directories below each DIR as absolute paths, each with "//" at its end.
#
# Each DIR is made real first: a JOB below two of them must have one path.

unset CDPATH
for d; do
	# shellcheck disable=SC2016 # for the inner shell
	(cd "$d" 2>/dev/null && find "$(pwd -P)" -name 'JOB*' -type d -prune \
		-exec sh -c 'for p; do printf "%s//\n" "$p"; done' sh {} + 2>/dev/null)
done
exit 0
