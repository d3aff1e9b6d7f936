#!/bin/bash
# bench.sh: speed and memory as ratios in one run; see docs/PERFORMANCE.md for the goals.
# CALLS, TASKS, PICTURES and ROUNDS choose the size; BENCH_DIR where the jobs go.
set -eu
BUILD=${BUILD:-build}
PROF_TASKS=${PROF_TASKS:-125000}
CALLS=${CALLS:-10000000} TASKS=${TASKS:-1000} PICTURES=${PICTURES:-1000} ROUNDS=${ROUNDS:-3}
# shellcheck source=tests/scratch.bash
. "$(dirname "$0")/../scratch.bash"
TMPDIR=${BENCH_DIR:-${TMPDIR:-/tmp}} scratch_make
trap scratch_remove EXIT
dir=$MSPROF_SCRATCH
umask 0027
bare=$BUILD/tests/bare msprof=$BUILD/msprof
export LC_ALL=C

# Median wall time in seconds and the largest RSS in KiB over the rounds: sets $wall and $rss.
measure() {
	local lines
	lines=$(for _ in $(seq "$ROUNDS"); do "$bare" time "$@"; done)
	wall=$(sort -n <<<"$lines" | awk '{w[NR]=$1} END {print w[int((NR+1)/2)]}')
	rss=$(awk '$2>m {m=$2} END {print m}' <<<"$lines")
}
calc() { awk "BEGIN {printf \"%.2f\", $1}"; }
row() { printf '%-46s %10s %12s %12s\n' "$@"; }

job=$dir/JOBBIG show=$dir/JOBSHOW
"$BUILD/tests/genjob" --out "$job" --tasks "$TASKS" --pictures "$PICTURES" --calls "$CALLS" --threads 4
# few inferences with many tasks: here the time goes into the tables, not into their headings
"$BUILD/tests/genjob" --out "$show" --tasks "$((TASKS * PICTURES / 10))" --pictures 10 --calls 100000 --threads 4
rows=$((CALLS + TASKS * PICTURES))
db=$job/sqlite/msprof.db

row work seconds 'M rows/s' 'RSS MiB'
measure "$msprof" --version
row 'start-up' "$wall" - "$(calc "$rss/1024")"
measure "$msprof" import -q -dir "$job"
import=$wall
row 'import' "$wall" "$(calc "$rows/$wall/1e6")" "$(calc "$rss/1024")"
measure "$bare" insert "$db" "$dir/bare.db"
row 'bare INSERT ... SELECT' "$wall" "$(calc "$rows/$wall/1e6")" "$(calc "$rss/1024")"
printf '  import / bare insert: %s (goal: at least 0.60)\n' "$(calc "$wall/$import")"
rm -f "$dir/bare.db"
measure "$msprof" export timeline -q -dir "$job"
timeline=$wall
row 'export timeline' "$wall" "$(calc "$rows/$wall/1e6")" "$(calc "$rss/1024")"
measure "$bare" scan "$db" api_calls
scan=$wall
measure "$bare" scan "$db" tasks
scan=$(calc "$scan+$wall")
row 'bare scan of both views' "$scan" "$(calc "$rows/$scan/1e6")" "$(calc "$rss/1024")"
printf '  timeline / bare scan: %s (goal: at least 0.50; 1.5 M events/s)\n' "$(calc "$scan/$timeline")"
measure "$msprof" export summary -q -dir "$job"
row 'export summary' "$wall" "$(calc "$rows/$wall/1e6")" "$(calc "$rss/1024")"
"$msprof" import -q -dir "$show"
measure "$msprof" show --top 50 -dir "$show"
row "show, $((TASKS * PICTURES)) tasks" "$wall" "$(calc "$TASKS*$PICTURES/$wall/1e6")" "$(calc "$rss/1024")"

# A PROF directory: 8 records a task. Each command once more at ten times the size: growth is 10 where it is linear.
prof=$dir/PROF_1 prof10=$dir/PROF_10
"$BUILD/tests/genprof" --out "$prof" --tasks "$PROF_TASKS"
"$BUILD/tests/genprof" --out "$prof10" --tasks "$((PROF_TASKS * 10))" --streams 24
all=0
for work in import 'export timeline' 'export summary'; do
	# shellcheck disable=SC2086 # words on purpose
	measure "$msprof" $work -q -dir "$prof"
	small=$wall
	all=$(calc "$all+$wall")
	row "PROF, $PROF_TASKS tasks: $work" "$wall" "$(calc "$PROF_TASKS*8/$wall/1e6")" "$(calc "$rss/1024")"
	# shellcheck disable=SC2086 # words on purpose
	ROUNDS=1 measure "$msprof" $work -q -dir "$prof10"
	printf '  ten times the tasks: %s times the seconds, %s MiB\n' "$(calc "$wall/$small")" "$(calc "$rss/1024")"
done
printf '  import + timeline + summary: %s s (goal: 0.80)\n' "$all"
