#!/bin/sh
# run_program.sh DIR PID_FILE GROUP_FILE MARK setsid|group STATS_FILE STATS WORD...: run a program in DIR, in a process
# group of its own.
#
# Both files get the number of the group before the program begins. Then it begins only if MARK is there: else the guard
# may have looked for the files before (guard.sh). PID_FILE is removed when the program ends; GROUP_FILE stays, because
# children may outlive the program. STATS is board_stats.sh, which runs beside the program and ends with it, or empty:
# then STATS_FILE, if it is there, is of an earlier run and goes. Exit status: that of the program, or 100.

umask 027
unset CDPATH
export MSPROF_BESIDE=off # the recorder of msprof: a JOB is fetched whole
cd "$1" || exit 100
f=$2
o=$6
t=$7
b=
[ -e "$4" ] || exit 100
# A cut must not end this shell before the last sample. The program has these signals as they were.
trap : HUP PIPE
[ "$5" = setsid ] && q=$f || q=
if [ -n "$t" ]; then
	sh -c "$t" board_stats "" "$o" run $$ "$q" </dev/null >/dev/null 2>&1 &
	b=$!
else
	rm -f "$o"
fi
if [ "$5" = setsid ]; then
	# setsid does not fork here, because the child of a shell never leads a group: process and session have one number.
	# shellcheck disable=SC2016 # for the inner shell
	setsid sh -c 'echo "$$" >"$2" && cp "$2" "$3" || exit 100; [ -e "$4" ] || { rm -f "$2" "$3"; exit 100; }
		shift 7; exec "$@"' sh "$@" </dev/null
else
	# The group that the server gave to this shell.
	(
		read -r l </proc/$$/stat
		l=${l##*) }
		# shellcheck disable=SC2086 # words
		set -- $l
		echo "$3"
	) >"$f" && cp "$f" "$3" || exit 100
	[ -e "$4" ] || {
		rm -f "$f" "$3"
		exit 100
	}
	shift 7
	"$@" </dev/null
fi
# These lines keep the shell from replacing itself by the program.
s=$?
rm -f "$f"
if [ -n "$b" ]; then
	kill "$b"
	wait "$b"
	sh -c "$t" board_stats "" "$o" after </dev/null >/dev/null 2>&1
fi 2>/dev/null
exit $s
