#!/usr/bin/env bats
# trace_prof.bats: the merged trace of PROF directories, in the guide's style and for Perfetto: the slices of the vendor's form,
# exact to the nanosecond, with every arrow between its call and its task.
# shellcheck disable=SC2154 # $status, $stderr and $output are set by run; $merged by merged_prof

load helpers
load helpers/trace

setup() {
	need_decoder
	fresh_job
	PROF=$BATS_TEST_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	DB=$PROF/sqlite/msprof.db
}

made_up() {
	discard "$PROF"
	"$BUILD/tests/genprof" --out "$PROF" "$@"
}

@test "calls, tasks, overlap and frequency: the slices of the vendor's form, an arrow for each task" {
	made_up --tasks 300 --streams 3
	merged_prof "$PROF"
	has "$merged" " 300 arrows"
	# one file each, and the vendor's form is not written beside it
	equal "$(cd "$PROF/mindstudio_profiler_output" && echo trace.*)" "trace.json trace.pftrace"
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export timeline -dir "$PROF" --style guide
	equal "$(cd "$PROF/mindstudio_profiler_output" && echo *)" trace.json
}

@test "all kinds of data: marks, iterations, samples of memories and links" {
	made_up --samples
	merged_prof "$PROF"
	lacks "$merged" " 0 samples"
	jq -e '[.traceEvents[] | select(.ph == "M" and .name == "process_name") | .args.name] | any(. == "Ascend Hardware, NPU 0") and any(. == "HBM, NPU 0")' \
		"$PROF/mindstudio_profiler_output/trace.json" >/dev/null
	# a sample is one: the vendor's form has what was read from memory twice
	equal "$(query 'SELECT 2 * count(*) FROM ddr_rate WHERE time_ns >= (SELECT value FROM meta WHERE key = "begin_ns")')" \
		"$(jq '[.traceEvents[] | select(.ph == "C" and (.name | startswith("DDR/")))] | length' "$PROF/mindstudio_profiler_output/trace.json")"
}

@test "an iteration: what is in its time, and only arrows with both ends" {
	made_up --samples
	merged_prof "$PROF" --iteration-id 1
	merged_prof "$PROF" --iteration-id 2
}

@test "a task before its call: the arrow leads from the earlier to the later" {
	made_up --tasks 4
	expect 0 import -dir "$PROF"
	sqlite3 "$DB" "UPDATE task SET start_ns = start_ns - 10000000 WHERE id = 1"
	merged_prof "$PROF"
	has "$merged" " 4 arrows"
}

@test "layers that are switched off" {
	made_up --samples
	for layer in ascend cann freq msproftx hbm overlap_analyse; do
		echo "{\"json_process\":{\"$layer\":false}}" >"$BATS_TEST_TMPDIR/off.json"
		merged_prof "$PROF" --reports "$BATS_TEST_TMPDIR/off.json"
		[ "$layer" != cann ] && [ "$layer" != ascend ] || has "$merged" " 0 arrows"
	done
}

@test "hostile times and names: sums beyond 64 bits, missing names" {
	made_up --tasks 6
	expect 0 import -dir "$PROF"
	sqlite3 "$DB" "UPDATE task SET start_ns = 9223372036854775807, dur_ns = 0 WHERE id = 2; UPDATE task SET dur_ns = -5 WHERE id = 3;
		UPDATE api SET start_ns = -9223372036854775807 WHERE connection_id = 1; UPDATE name SET name = char(1, 27, 34) || '</script>';
		UPDATE api SET thread_id = 9223372036854775807 WHERE connection_id = 2; UPDATE task SET dur_ns = 9223372036854775807 WHERE id = 4"
	expect 0 export timeline -dir "$PROF" --style guide
	expect 0 export timeline -dir "$PROF" --format perfetto
	"$PYTHON" "$HELPERS/trace_check.py" "$PROF" --dir mindstudio_profiler_output
}

@test "the reference's sample" {
	needs_shared ascend-prof/PROF_000001_20231114221320000_ABCDEFGHIJKLMNOP
	cp -rp "$SHARED/ascend-prof/PROF_000001_20231114221320000_ABCDEFGHIJKLMNOP" "$BATS_TEST_TMPDIR/PROF_sample"
	chmod -R u+w "$BATS_TEST_TMPDIR/PROF_sample"
	merged_prof "$BATS_TEST_TMPDIR/PROF_sample"
	has "$merged" " 40 arrows"
}
