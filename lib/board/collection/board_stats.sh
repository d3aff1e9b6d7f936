#!/bin/sh
# board_stats.sh ROOT FILE before|run|after [OWNER PID_FILE]: append samples of the board to FILE.
#
# before: begin FILE anew, and take two samples a second apart: what moves between them moves without the program.
# run: take a sample a second until TERM, or the end of the process OWNER; PID_FILE has the number of the program, or is
# empty. after: take one sample. ROOT precedes /proc and /sys: it is empty on a board. Lines that begin with "@msprof "
# are ours; all others are texts of the kernel, unchanged. A text of /proc/umap with more than 32 KiB is left out, and FILE
# ends at 8 MiB. There are no quotes of the other kind here, as the script is itself a word of a script.

umask 027
LC_ALL=C
export LC_ALL
r=$1
o=$2
trap "" XFSZ HUP INT PIPE

# first NAME COUNT FILE: the first lines of a file. The shell reads them, so no process is needed.
first() {
	[ -r "$3" ] || return 0
	printf "@msprof text %s\n" "$1"
	n=$2
	while [ "$n" -gt 0 ] && IFS= read -r l; do
		printf "%s\n" "$l"
		n=$((n - 1))
	done <"$3"
}

# heat: the temperature of each zone
heat() {
	for z in "$r"/sys/class/thermal/thermal_zone*; do
		k=
		read -r v <"$z/temp" || continue
		read -r k <"$z/type"
		printf "@msprof heat %s %s %s\n" "${z##*thermal_zone}" "$v" "${k:--}"
	done
}

# program: its account, and its resident memory
program() {
	p=
	[ -z "$q" ] || read -r p <"$q"
	case $p in "" | *[!0-9]*) return 0 ;; esac
	read -r l <"$r/proc/$p/stat" || return 0
	printf "@msprof text program\n%s\n" "$l"
	while read -r k l; do
		[ "$k" != VmRSS: ] || printf "%s %s\n" "$k" "$l"
	done <"$r/proc/$p/status"
}

# choose: $t are the texts of /proc/umap that can be read and are small enough
choose() {
	t=
	for k in svp_npu npudev aiisp vi media-mem; do
		f=$r/proc/umap/$k
		[ -e "$f" ] || continue
		if [ -f "$f" ] && (ulimit -f 64 && exec cat "$f" >"$o.part"); then
			t="$t $k"
		else
			printf "@msprof left %s\n" "$k"
		fi
	done
	rm -f "$o.part"
}

# sample PHASE: a line of ours begins anew, even where a text has no end of line or FILE ended at its limit
sample() {
	u=
	read -r u l <"$r/proc/uptime"
	w=$(date +%s)
	printf "\n@msprof sample %s %s %s\n" "$1" "${u:-0.00}" "${w:-0}"
	first loadavg 1 "$r/proc/loadavg"
	first stat 1 "$r/proc/stat"
	first meminfo 5 "$r/proc/meminfo"
	heat
	program
	for k in $t; do
		printf "\n@msprof text umap/%s\n" "$k"
		cat "$r/proc/umap/$k"
	done
	printf "\n"
}

[ "$3" != before ] || : >"$o" || exit 73
exec >>"$o" 2>/dev/null
q=$5
case $3 in
before)
	printf "@msprof board 1\n"
	ulimit -f 17408
	choose
	sample before
	sleep 1
	sample before
	;;
run)
	ulimit -f 16384
	e=
	i=
	trap "e=1; kill \$i" TERM
	choose
	while [ -z "$e" ]; do
		sleep 1 &
		i=$!
		wait $i
		[ -d "/proc/$4" ] || break
		[ -n "$e" ] || sample run
	done
	;;
after)
	ulimit -f 17408
	choose
	sample after
	;;
esac
exit 0
