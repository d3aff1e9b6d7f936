#!/bin/sh
# run_program.sh DIR PID_FILE GROUP_FILE setsid|group WORD...: run a program in DIR, in a process group of its own.
#
# Both files get the number of the group before the program begins. PID_FILE is removed when the program ends;
# GROUP_FILE stays, because children may outlive the program. Exit status: that of the program, or 100.

umask 027
unset CDPATH
cd "$1" || exit 100
f=$2
if [ "$4" = setsid ]; then
	# setsid does not fork here, because the child of a shell never leads a group: process and session have one number.
	# shellcheck disable=SC2016 # for the inner shell
	setsid sh -c 'echo "$$" >"$2" && cp "$2" "$3" || exit 100; shift 4; exec "$@"' sh "$@" </dev/null
else
	# The group that the server gave to this shell.
	(
		read -r l </proc/$$/stat
		l=${l##*) }
		# shellcheck disable=SC2086 # words
		set -- $l
		echo "$3"
	) >"$f" && cp "$f" "$3" || exit 100
	shift 4
	"$@" </dev/null
fi
# These lines keep the shell from replacing itself by the program.
s=$?
rm -f "$f"
exit $s
