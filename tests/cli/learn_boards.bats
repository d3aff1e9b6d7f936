#!/usr/bin/env bats
# learn_boards.bats: boards that were invented to be hard, learned by docs/LEARN.md alone, and references that lie.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# board NAME: its job is $JOB, in a directory of its own
board() {
	mkdir "$BATS_TEST_TMPDIR/board" && cd "$BATS_TEST_TMPDIR/board" || return
	PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/gen/learn_boards.py" "$1" --out .
	JOB=$(echo JOB*)
	export DB=$JOB/sqlite/msprof.db
}

# field NAME: type and place of a field of the AA Core, and what else fits
field() {
	jq -r --arg name "$1" '.tables[] | select(.table == "Fields") | .rows[] | select(.Layout == "svp.aicore" and .Field == $name) |
		"\(.Type) \(.Place) \(.Unit) \(.Evidence) also: \(.Also // "")"' <<<"$output"
}

# times_of TABLE: the tasks of the database have the moments of truth.json, to the nanosecond
times_of() {
	query "SELECT json_group_array(json_array(task_id, start_ns, dur_ns)) FROM (SELECT * FROM $1 ORDER BY start_ns)" |
		python3 -c '
import json, sys
truth = sorted(json.load(open("truth.json")), key=lambda task: task[1])
found = json.load(sys.stdin)
assert len(found) == len(truth), len(found)
for have, want in zip(found, truth):
    assert have[0] == want[0] and abs(have[1] - want[1] * 1000) <= 1 and abs(have[2] - want[2] * 1000) <= 1, (have, want)'
}

@test "equal columns, copies and counters that count nothing: each column has its own place, and what fits as well is named" {
	board hostile
	expect 0 learn -dir "$JOB" --format json
	equal "$(field task_id)" "u32 @4  x 1 120 of 120 rows also: "
	# the other times have the same durations: only the moments tell
	[[ $(field start) == "u64 @16 cycle 60 of 60 rows"* && $(field end) == "u64 @32 cycle"* ]] || fail "$(field start); $(field end)"
	# its copy differs in one record
	equal "$(field mac_ppen)" "u32 @44 cycles x 1 60 of 60 rows also: "
	# two columns that are equal in all rows: either place may be of either
	equal "$(field mac_busy)" "u32 @48 cycles x 1 60 of 60 rows also: u32 @52"
	equal "$(field vec_busy)" "u32 @52 cycles x 1 60 of 60 rows also: u32 @48"
	[[ $(field dtrans) == "u32 @64 cycles x 1 60 of 60 rows"* ]] || fail "$(field dtrans)"
	expect 0 import -dir "$JOB" --layouts layouts
	times_of aicore_task
}

@test "records of public drivers: a start by another clock, and entries of a profiler; what tables lack is said" {
	board chip
	expect 3 learn -dir "$JOB"
	has "$output" "no table says mac_busy" "no table says read" "│   432 │   432 │" "│   468 │   468 │"
	lacks "$output" "explains" "no number is a moment"
	has "$(cat layouts/learned.rec)" "time     start_ns start_count unit=ns" "duration dur_ns took unit=cycle" "pair     u8 @8 start=0 end=1 key=task_id" unverified
	expect 0 import -dir "$JOB" --layouts layouts
	equal "$(query "SELECT count(*), count(mac_busy), count(ddr_read_bytes), count(dstr) FROM aicore_task")" "48|0|0|48"
	equal "$(query "SELECT count(*) FROM aicpu_task")" 30
	expect 0 export summary -dir "$JOB" --layouts layouts --style vendor
}

@test "records that are lines of text: one message says that they cannot be learned" {
	board lines
	expect 1 learn -dir "$JOB"
	has "$output" "these files are lines of text: only records of bytes can be learned"
	equal "$stderr" "msprof: error: '$JOB': nothing was learned: these files are lines of text: only records of bytes can be learned"
	[ ! -e layouts ]
}

@test "hostile references are never believed: tables, traces, databases and places" {
	board hostile
	run python3 "$ROOT/tests/cli/helpers/hostile_references.py" "$BUILD/msprof" "$JOB" references
	equal "$output" "42 references, none is believed"
}
