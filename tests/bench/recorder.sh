#!/bin/bash
# recorder.sh: what recording costs and holds; see docs/PERFORMANCE.md for the goals. RECORD_DIR chooses where the jobs go.
set -eu
BUILD=${BUILD:-build}
# shellcheck source=tests/scratch.bash
. "$(dirname "$0")/../scratch.bash"
TMPDIR=${RECORD_DIR:-${TMPDIR:-/tmp}} scratch_make
trap scratch_remove EXIT
dir=$MSPROF_SCRATCH
umask 0027
export XDG_RUNTIME_DIR=$dir MSPROF_LOG=error LC_ALL=C
mkdir "$dir/out"
printf '{"profiler": {"switch": "on", "output": "%s"}}\n' "$dir/out" >"$dir/acl.json"

# work WHAT: its number in $number, what was lost in $lost
work() {
	number=$("$BUILD/tests/recorder-bench" "$dir" "$1")
	lost=$(sed 's/.*"lost": \([0-9]*\).*/\1/' "$dir"/out/msprof.JOB*/data/recorder.json.0)
	discard "$dir"/out/*JOB*
}
row() { printf '%-58s %10s   %s\n' "$@"; }

work one
read -r interval off clock <<<"$number"
row 'one API interval, ns' "$interval" 'goal: at most 100'
row '  of that, two readings of the clock' "$clock" ''
row 'the same without a recording, ns' "$off" ''

# What a call through the preload costs more than without: while it is recorded, and while nothing is.
preload=$BUILD/libmsprof_preload.so
bare=$("$BUILD/tests/bench/preload")
recorded=$(LD_PRELOAD=$preload "$BUILD/tests/bench/preload" "$dir/acl.json")
discard "$dir"/out/PROF*
idle=$(LD_PRELOAD=$preload "$BUILD/tests/bench/preload")
more() { awk "BEGIN { printf \"%.1f\", $1 - $bare }"; }
row 'a call through the preload, ns more than without it' "$(more "$recorded")" 'goal: at most 100'
row 'the same without a recording, ns more' "$(more "$idle")" ''

work burst
row 'bursts of 5 M/s over two threads for 20 ms: lost' "$lost" 'goal: 0'
work sustain
row '1 M/s for 5 s on one thread: lost' "$lost" 'goal: 0'
work pace
row '2 M/s of two threads for 5 s: lost' "$lost" 'goal: 0'
work full
row '20 M events of two threads at full speed: lost' "$lost" 'goal: at most 5 %'
work many
row '1 M/s of 300 threads together for 3 s: lost' "$lost" 'goal: 0'
work rss
row 'memory that the library adds, 16 threads, MiB' "$((number / 1024))" 'goal: at most 16'
