#!/bin/sh
# list_jobs.sh WORDS DIR...: list the JOB directories below each DIR, an absolute path.
#
# WORDS: what the board has of stat and find_plus (find -exec ... {} +). Records end in "//", which no path holds.
# "place DIR" begins a DIR, made real: a JOB below two of them must have one path. Of it and each JOB below it there is
# "DEVICE INODE TIME PATH" with the PATH "." or "./JOB": a find that does nothing is noticed. "missing DEVICE DIR" is a DIR
# that is not there, and the device of the directory that lacks it. Without stat the numbers are 0. "end" is the last
# record, and comes only when nothing failed.

words=" $1 "
shift
unset CDPATH
LC_ALL=C
export LC_ALL

# has WORD: whether the board has it
has() {
	case $words in *" $1 "*) return 0 ;; esac
	return 1
}

# jobs: the current directory, and those below. Without "+" find takes a command that failed for a test that was not met, and
# ends well: so a record says so.
jobs() {
	# shellcheck disable=SC2016 # for the inner shell
	if has stat; then
		set -- stat -c '%d %i %Y %n//'
	else
		set -- sh -c 'for p; do printf "0 0 0 %s//\n" "$p"; done' sh
	fi
	if has find_plus; then
		set -- -exec "$@" {} +
	else
		set -- \( -exec "$@" {} \; -o -exec printf 'failed//\n' \; \)
	fi
	find . \( -name . -o -name 'JOB*' -type d -prune \) "$@"
}

for d; do
	a=$d
	until [ -e "$a" ] || [ -L "$a" ]; do
		a=${a%/*}
		a=${a:-/}
	done
	rest=${d#"$a"}
	cd "$a" || exit 100
	# the slash keeps line ends of the name
	d=$(pwd -P && printf /) || exit
	d=${d%?/}$rest
	if [ -z "$rest" ]; then
		printf 'place %s//\n' "$d"
		jobs || exit
	else
		n=0
		! has stat || n=$(stat -c %d .) || exit
		printf 'missing %s %s//\n' "$n" "$d"
	fi
done
printf 'end//\n'
