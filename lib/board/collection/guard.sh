#!/bin/sh
# guard.sh DIR LOCK flock|pid NUMBER ACL: hold the lock of a collection in DIR, and clear up at its end.
#
# Input "stop" stops the program; the answer is "stopped". "acl" and lines with a "+" in front, then ".", put these lines
# into the place of acl.json, DIR/ACL; the answer is "installed" or "failed". "output PATH" names the directory of JOBs; the
# answer is "noted", and one that is not there yet, and is empty at the end, is removed. "end" or the end of the input ends the
# guard; so does the signal USR1, which the next guard sends. At its end the guard stops the program, unmounts, and
# restores acl.json. NUMBER is the guard of the collection that is resumed, or empty. Output: "busy" while another guard
# has the lock, then "held PROCESS". Exit status: 73 DIR is read-only, 75 locked, 76 the program of an earlier collection
# is running, 77 cannot unmount, 100 no DIR.
#
# The guard does by itself what it undoes, one after the other: so nothing is done behind its end. Other scripts begin
# something only while the mark of the guard stands, .msprof.guard.PROCESS: they first write down what they begin, then
# look for the mark. The guard first removes the mark, then looks for what is written down.

umask 027
trap "" HUP INT TERM PIPE
trap w=end USR1
unset CDPATH
cd "$1" || exit 100
l=$2
lock=$3
g=$4
acl=./$5
m=.msprof.acl
mark=.msprof.guard

# pause: a tenth of a second less in $n
pause() {
	n=$((n - 1))
	sleep 0.1 2>/dev/null || {
		sleep 1
		n=$((n - 9))
	}
}

# num FILE: read the number of a process group into $p. A number of 1 or less would mean every process.
num() {
	p=
	[ -f "$1" ] && read -r p <"$1"
	case $p in "" | *[!0-9]* | 0* | 1) return 1 ;; esac
}

# fields PROCESS: $t is its stat file from the state on; the third word is the group.
fields() {
	t=
	read -r t <"/proc/$1/stat" && t=${t##*) }
} 2>/dev/null

own() {
	fields $$
	# shellcheck disable=SC2086 # words
	set -- $t
	here=$3
}
own

# is_his STATE PARENT GROUP: whether the process is alive and belongs to the group $p
is_his() {
	[ "$3" = "$p" ] && [ "$1" != Z ]
}

# hit SIGNAL: send a signal to the group $p; 0 tells whether the group is alive.
# A group of zombies seems alive to kill, so /proc is asked where it exists. A board without setsid may have the program
# in the group of this shell and of the server, as dropbear puts all of a connection into one group: then each process
# of the group gets the signal, except these two. No other command may run meanwhile.
hit() {
	if [ "$p" != "$here" ] && [ "$1$here" != "0${here:-x}" ]; then
		kill "-$1" "-$p" 2>/dev/null
		return
	fi
	h=1
	for d in /proc/[0-9]*; do
		q=${d#/proc/}
		case $q in "$$" | "$PPID") continue ;; esac
		# shellcheck disable=SC2086 # words
		fields "$q" && is_his $t && kill "-$1" "$q" 2>/dev/null && h=0
	done
	return $h
}

# gone TENTHS: wait for the end of the group $p. A killed process takes its time on a busy board, and may write until then.
gone() {
	n=$1
	while [ "$n" -gt 0 ] && hit 0; do
		pause
	done
}

# stop: end the program. TERM comes first so that the program can write its data.
stop() {
	for f in .msprof.pid .msprof.group; do
		if num $f && hit TERM; then
			gone 50
			hit KILL && gone 20
		fi
		rm -f $f
	done
}

# install: put the lines of the input into the place of acl.json, and tell whether it was done. Lines that end before "."
# are no text. A copy of the project's own file, with its time, and the name are there before the new one is renamed over
# it: a cut at any point leaves one of the two, and the next push finds the project's file unchanged. A "-" in front of
# the name: there was none.
install() {
	ok=
	while IFS= read -r x; do
		[ "$x" != . ] || break
		printf '%s\n' "${x#+}" || ok=no
	done >$m.new || ok=no
	[ "$x$ok" = . ] && [ ! -e $m.name ] && rm -f $m.saved || return 1
	k=-
	if [ -e "$acl" ] || [ -L "$acl" ]; then
		k=
		cp -pP "$acl" $m.saved || {
			rm -f $m.saved
			return 1
		}
	fi
	printf %s "$k$acl" >$m.part && mv -f $m.part $m.name && mv -f $m.new "$acl"
}

# restore: give the project its acl.json back, see install. The x keeps line ends of the name.
restore() {
	rm -f $m.new $m.part
	[ -f $m.name ] || return 0
	a=$(cat $m.name && printf x) || return
	a=${a%x}
	if [ "$a" != "${a#-}" ]; then
		rm -f "${a#-}" || return
	elif [ -e $m.saved ] || [ -L $m.saved ]; then
		mv -f $m.saved "$a" || return
	fi
	rm -f $m.name
}

# The owner of the lock writes its number into the lock. Without flock the number is the lock.
if [ "$lock" = flock ]; then
	(: >>"$l") || exit 73
	exec 9>>"$l"
	# the number may not fit on a full board: flock alone is enough
	take() {
		flock -n 9 && { echo $$ >"$l" || :; } 2>/dev/null
	}
else
	take() {
		(
			set -C
			echo $$ >"$l"
		) 2>/dev/null && return
		p=
		read -r p <"$l"
		case $p in
		"") [ "$n" -lt 100 ] || return 1 ;; # its owner may be about to write the number
		*[!0-9]*) ;;
		*) kill -0 "$p" 2>/dev/null && return 1 ;;
		esac
		echo $$ >"$l" || exit 73
	}
fi

# The guard of a collection that was cut may still clear up: twelve seconds are longer than a program has to end.
# A guard that has not noticed the cut is told by a signal, if it is that of the collection that is resumed.
n=120
until take; do
	[ $n -gt 0 ] || exit 75
	[ $n != 120 ] || echo busy
	p=
	read -r p <"$l"
	[ -z "$g" ] || [ "$p" != "$g" ] || kill -USR1 "$p" 2>/dev/null
	pause
done

rm -f $mark.*
for f in .msprof.pid .msprof.group; do
	num $f && hit 0 && exit 76
	rm -f $f
done
restore && (: >$mark.$$) || exit 73
echo "held $$"
w=
made=
while [ "$w" != end ] && read -r w; do
	case $w in
	stop)
		stop
		echo stopped
		;;
	"output "*)
		[ -d "${w#output }" ] || made=${w#output }
		echo noted
		;;
	acl) install && echo installed || echo failed ;;
	esac
done

rm -f $mark.$$
stop
s=0
# The marker goes first, see mount_nfs.sh. The mounted directory may stay busy for a moment.
if [ -f .msprof.mount ]; then
	p=$HOME/profiling
	rm -f .msprof.mount
	umount "$p" 2>/dev/null || {
		sleep 1
		umount "$p"
	} || s=77
fi
restore || s=$?
[ -z "$made" ] || rmdir "$made" 2>/dev/null
[ "$lock" = flock ] || rm -f "$l"
exit $s
