#!/bin/sh
# list_tree.sh DIR WORD...: list all below DIR: mode, size, time and path of each entry.
#
# Words: held: wait for a line of input first. links: the targets of links, too. space: the free space. hashes: the sum of
# each file. skip_jobs: leave out .git and directories named JOB*. find_plus: find has -exec ... {} +.
# Sections begin with "links//", "space//", "hashes//"; "end//" is the last line. Records of all but the sums end in "//":
# no path from find holds "//", so a newline in a name does no harm. sha256sum has a form of its own; names with a
# newline are kept from it.

d=$1
shift
words=" $* "
newline='
'

# has WORD: whether the word was given
has() {
	case $words in *" $1 "*) return 0 ;; esac
	return 1
}

# each all|links|files COMMAND...: run a command for each entry.
# busybox forgets a "+" within parentheses. Without "+" find takes a command that failed for a test that was not met,
# and ends well: so a record says so.
each() {
	kind=$1
	shift
	if has find_plus; then
		set -- -exec "$@" {} +
	else
		set -- \( -exec "$@" {} \; -o -exec printf 'failed//\n' \; \)
	fi
	case $kind in
	links) set -- -type l "$@" ;;
	files) set -- -name "*$newline*" -prune -o -type f "$@" ;;
	esac
	if has skip_jobs; then
		set -- \( -name .git -o -name 'JOB*' -type d \) -prune -o "$@"
	fi
	find . "$@" || e=1
}

if has held; then
	read -r _ || exit 0
fi
unset CDPATH
cd "$d" || exit 100
LC_ALL=C
export LC_ALL
e=0
each all stat -c '%f %s %Y %n//'
if has links; then
	printf 'links//\n'
	# shellcheck disable=SC2016 # for the inner shell
	each links sh -c 'for l; do printf "%s//%s//\n" "$l" "$(readlink "$l")"; done' sh
fi
if has space; then
	printf 'space//\n'
	df -Pk . 2>/dev/null | tail -n 1
	printf '//\n'
fi
if has hashes; then
	printf 'hashes//\n'
	each files sha256sum
fi
printf 'end//\n'
exit $e
