#!/usr/bin/env bats
# trace.bats: a million tasks, and a million records of a card: the merged trace for Perfetto has the events of the JSON and of the database.
# Needs 6 GB of memory.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers
load ../cli/helpers/trace

@test "a million tasks and 200,000 calls, with overlaps: the same events, times, nesting and lanes" {
	need_decoder
	generate --host-calls 200000 --tasks 10000 --pictures 100 --overlap 10
	expect 0 export timeline -q -dir "$JOB"
	expect 0 export timeline -q -dir "$JOB" --format perfetto
	run "$PYTHON" "$HELPERS/trace_check.py" "$JOB" --lax
	has "$output" "$(query 'SELECT (SELECT count(*) FROM tasks) + (SELECT count(*) FROM api_calls) + 100') slices"
}

@test "a PROF directory of 125,000 tasks, a million records: the slices of the vendor's form, and an arrow for each task" {
	need_decoder
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 125000
	merged_prof "$BATS_TEST_TMPDIR/PROF_1"
	has "$merged" " 125000 arrows"
}
