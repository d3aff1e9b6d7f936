#!/usr/bin/env bats
# trace_2022.bats: the merged trace of JOB directories of the 2022 generation, in the guide's style and for Perfetto.
# shellcheck disable=SC2154 # $status, $stderr and $output are set by run; $merged by merged_2022

load helpers
load helpers/trace

setup() {
	need_decoder
	fresh_job
}

# merged_2022 [OPTION]...: the decoder's summary of the merged traces of $JOB is in $merged; with options they are a part.
merged_2022() {
	discard "$JOB/timeline"
	expect 0 export timeline -dir "$JOB" "$@" --style guide
	expect 0 export timeline -dir "$JOB" "$@" --format perfetto
	equal "$(cd "$JOB/timeline" && echo *)" "trace.json trace.pftrace"
	merged=$("$PYTHON" "$HELPERS/trace_check.py" "$JOB" ${1:+--part})
}

@test "calls and tasks are those of the views, and iterations are slices above them" {
	made tasks=12 steps=3 calls=9
	merged_2022
	equal "$(jq -r '[.traceEvents[] | select(.ph == "X" and (.name | startswith("Iteration "))) | .name] | sort | join(", ")' "$JOB/timeline/trace.json")" \
		"Iteration 1, Iteration 2, Iteration 3"
}

@test "a chosen iteration: what is in its time" {
	made tasks=12 steps=3 calls=9
	merged_2022
	whole=$(jq .otherData.events "$JOB/timeline/trace.json")
	merged_2022 --model-id 1 --iteration-id 2
	part=$(jq .otherData.events "$JOB/timeline/trace.json")
	[ "$part" -gt 0 ] && [ "$part" -lt "$whole" ]
	equal "$(jq '[.traceEvents[] | select(.ph == "X" and .args["Task Id"] != null)] | length' "$JOB/timeline/trace.json")" \
		"$(query 'SELECT count(*) FROM tasks WHERE iteration = 2')"
	expect 1 export timeline -dir "$JOB" --format perfetto --iteration-id 9
	has "$stderr" "iteration 9 not found"
}

@test "an arrow from a call that launches a single operator to its tasks" {
	made tasks=6 calls=9
	expect 0 import -dir "$JOB"
	sqlite3 "$DB" "UPDATE api_call SET type = 1, name = 'aclopExecuteV2', dur_ns = 1000 WHERE rowid = 1;
		UPDATE op SET time_ns = (SELECT start_ns + 1 FROM api_call WHERE rowid = 1) WHERE id = (SELECT op_id FROM task WHERE id = 2)"
	merged_2022
	has "$merged" " $(query 'SELECT count(*) FROM task WHERE op_id = (SELECT op_id FROM task WHERE id = 2)') arrows"
}

@test "the reference's samples" {
	local name
	for name in ascend-job-2022 ascend-job-2022-steps; do
		needs_shared "$name"
		JOB=$BATS_TEST_TMPDIR/JOBHGFEDCBAIHGFEDCBAIHGFEDCBAIHG
		DB=$JOB/sqlite/msprof.db
		discard "$JOB"
		cp -rp "$SHARED/$name/JOBHGFEDCBAIHGFEDCBAIHGFEDCBAIHG" "$JOB"
		chmod -R u+w "$JOB"
		merged_2022
		has "$merged" slices
	done
}
