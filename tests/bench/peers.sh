#!/bin/bash
# peers.sh: what a pair of a begin and an end costs its thread, and all processes together, in alternate runs with other recorders
# of Debian's packages; `make deps-bench` installs them. A run without pairs is subtracted, and has a column of its own.
# PAIRS, ROUNDS and RECORD_DIR choose the size, and where the results go.
set -eu
BUILD=${BUILD:-build}
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/scratch.bash
. "$ROOT/tests/scratch.bash"
TMPDIR=${RECORD_DIR:-${TMPDIR:-/tmp}} scratch_make
dir=$MSPROF_SCRATCH
daemon=
trap scratch_remove EXIT
pairs=${PAIRS:-2000000}
export MSPROF_LOG=error LC_ALL=C XDG_RUNTIME_DIR=$dir LTTNG_HOME=$dir
umask 0027
cd "$dir"
mkdir out
printf '{"profiler": {"switch": "on", "output": "%s"}}\n' "$dir/out" >acl.json

# compile NAME FLAG...: a program of pairs
compile() { gcc -O2 -o "$1" "$ROOT/tests/bench/pairs.c" -I"$ROOT/tests/bench" "${@:2}" 2>/dev/null; }

peers=(clock svp ascend)
compile clock -DPEER_CLOCK
compile svp -I"$ROOT/lib/recorder/include" -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_recorder
cp svp ascend
# peer NAME COMMAND FLAG...: another recorder, where it is installed
peer() {
	if command -v "$2" >path && compile "$1" "${@:3}"; then peers+=("$1"); else echo "$1: not installed"; fi
}
peer uftrace uftrace -DPEER_UFTRACE -pg
peer lttng lttng-sessiond -DPEER_LTTNG -llttng-ust -ldl

# Each prints what a pair costs its thread, and writes what was lost into the file `lost`.
run_clock() { ./clock "$1" && echo 0 >lost; }
run_svp() {
	./svp "$1" acl.json svp || return
	sed 's/.*"lost": \([0-9]*\).*/\1/' out/msprof.JOB*/data/recorder.json.0 >lost
}
run_ascend() {
	./ascend "$1" acl.json ascend || return
	sed 's/.*"lost": \([0-9]*\).*/\1/' out/PROF*/host/info.json >lost
}
# 16 bytes an event, of which there are two in a pair, and two of main
run_uftrace() {
	local file size=0
	uftrace record --no-event --no-libcall --no-pager -F pair -d uftrace.data ./uftrace "$1" || return
	for file in uftrace.data/[0-9]*.dat; do
		size=$(stat -c %s "$file")
	done
	echo $(($1 ? 2 * $1 - size / 16 : 0)) >lost
}
run_lttng() {
	if lttng --no-sessiond list >sessions 2>&1; then
		echo 'another lttng-sessiond runs, whose time would not count' >&2
		return 1
	fi
	lttng-sessiond --no-kernel &
	daemon=$!
	until lttng --no-sessiond list >sessions 2>&1; do
		kill -0 "$daemon" || return
		sleep 0.05
	done
	{
		lttng create pairs --output="$dir/lttng.data"
		lttng enable-channel --userspace --subbuf-size=4M --num-subbuf=8 all
		lttng enable-event --userspace --channel=all 'pair:*'
		lttng start
	} >lttng.out || return
	./lttng "$1" || return
	lttng stop >lttng.out
	lttng list pairs | sed -n 's/.*Discarded events: \([0-9]*\).*/\1/p' >lost
	lttng destroy pairs >lttng.out
	kill "$daemon"
	wait "$daemon" || true
	daemon=
}

# measure PEER COUNT: "CALLER_NS LOST MS", the last of all processes together
measure() {
	local TIMEFORMAT='%U %S'
	if ! { time "run_$1" "$2" >caller 2>errors; } 2>spent; then
		[[ -z $daemon ]] || kill "$daemon"
		cat errors >&2
		return 1
	fi
	echo "$(tail -n 1 caller) $(cat lost) $(awk '{ print 1000 * ($1 + $2) }' spent)"
	discard out/* uftrace.data* lttng.data
}

for ((round = 0; round < ${ROUNDS:-5}; round++)); do
	for peer in "${peers[@]}"; do
		few=$(measure "$peer" 0)
		many=$(measure "$peer" "$pairs")
		echo "$peer $few $many" >>rows
	done
done

# median COLUMN FORMAT: with the least and the most, of the rows of $peer: "PEER CALLER LOST MS CALLER LOST MS"
median() {
	awk -v peer="$peer" -v pairs="$pairs" "\$1 == peer { print $1 }" rows | sort -n |
		awk -v format="$2 ($2 - $2)" '{ all[NR] = $1 } END { printf format, all[int((NR + 1) / 2)], all[1], all[NR] }'
}
printf '%-10s %-16s %-18s %-22s %s\n' 'a pair, ns' 'its thread' 'all processes' 'without pairs, ms' 'lost'
for peer in "${peers[@]}"; do
	printf '%-10s %-16s %-18s %-22s %s\n' "$peer" "$(median '$5' %.0f)" "$(median '($7 - $4) * 1000000 / pairs' %.0f)" \
		"$(median '$4' %.0f)" "$(awk -v peer="$peer" '$1 == peer { sum += $6 } END { print sum }' rows)"
done
