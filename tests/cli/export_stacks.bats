#!/usr/bin/env bats
# export_stacks.bats: folded stacks are those that Python computes from the exported calls.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load prof

# stacks [sum] FOLDED TRACE...: compare; $paths and $depth tell what was seen.
stacks() {
	run python3 "$HELPERS/stacks.py" "$@"
	[ "$status" = 0 ] || fail "$output"
	read -r paths depth <<<"$output"
}

@test "calls of SS928: nested calls, several threads and models" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --host-calls 3000 --threads 5 --models 2
	expect 0 export stacks -dir "$BATS_TEST_TMPDIR/JOB_1"
	has "$stderr" "wrote 1 file to '$BATS_TEST_TMPDIR/JOB_1/timeline'"
	expect 0 export timeline -dir "$BATS_TEST_TMPDIR/JOB_1"
	stacks "$BATS_TEST_TMPDIR"/JOB_1/timeline/{stacks.folded,acl_*.json}
	[ "$paths" -gt 20 ] && [ "$depth" -ge 2 ]
	expect 0 export stacks -dir "$JOB" --output "$BATS_TEST_TMPDIR/out" -q
	expect 0 export timeline -dir "$JOB"
	stacks "$BATS_TEST_TMPDIR/out/${JOB##*/}/timeline/stacks.folded" "$JOB"/timeline/acl_*.json
}

@test "calls that overlap count once: the sum of a thread is the time in which it called" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --host-calls 4000 --overlap 40 --threads 3
	expect 0 export stacks -dir "$BATS_TEST_TMPDIR/JOB_1"
	expect 0 export timeline -dir "$BATS_TEST_TMPDIR/JOB_1"
	stacks sum "$BATS_TEST_TMPDIR"/JOB_1/timeline/{stacks.folded,acl_*.json}
}

@test "a range of time has the calls that touch it, whole" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --host-calls 2000
	for command in stacks timeline; do
		expect 0 export $command -dir "$BATS_TEST_TMPDIR/JOB_1" --from 320ms --to 400ms
	done
	stacks "$BATS_TEST_TMPDIR"/JOB_1/timeline/{stacks.folded,acl_*.json}
	expect 2 export stacks -dir "$BATS_TEST_TMPDIR/JOB_1" --from 2s --to 1s
}

@test "calls of a PROF directory, by level" {
	discard "$PROF"
	"$BUILD/tests/genprof" --out "$PROF" --tasks 500
	expect 0 export stacks -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	stacks "$PROF"/mindstudio_profiler_output/{stacks.folded,msprof_*.json}
	[ "$depth" = 3 ]
}

@test "2022: calls of ACL and of the runtime; without calls the tasks of each stream" {
	made tasks=6 calls=4 extra=1
	expect 0 export stacks -dir "$JOB"
	has "$(cat "$JOB/timeline/stacks.folded")" "Host;Thread 78;aclmdlExecute "
	# the time in which a thread was in any call
	equal "$(awk '{ sum += $NF } END { printf "%d", sum }' "$JOB/timeline/stacks.folded")" "$(query "WITH call AS (
		SELECT tid, start_ns, start_ns + dur_ns AS end_ns FROM api_call UNION ALL SELECT thread_id, start_ns, start_ns + dur_ns FROM runtime_api
	) SELECT sum(max(end_ns - max(start_ns, coalesce(reached, start_ns)), 0))
	FROM (SELECT *, max(end_ns) OVER (PARTITION BY tid ORDER BY start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached FROM call)")"
	made tasks=6 calls=0
	expect 0 export stacks -dir "$JOB"
	equal "$(awk '{ sum += $NF } END { printf "%d", sum }' "$JOB/timeline/stacks.folded")" "$(query 'SELECT sum(dur_ns) FROM tasks')"
	has "$(cat "$JOB/timeline/stacks.folded")" "Device 0;Stream 3;"
}

@test "calls that end after the end of all time are in each other" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --calls 3
	expect 0 import -dir "$BATS_TEST_TMPDIR/JOB_1"
	sqlite3 "$BATS_TEST_TMPDIR/JOB_1/sqlite/msprof.db" "DELETE FROM api_call WHERE rowid > 3;
		UPDATE api_call SET pid = 7, tid = 8, name = 'call' || rowid, start_ns = 9223372036854775767 + rowid * 10, dur_ns = 4000000000000000000 + rowid * 4000"
	expect 0 export stacks -dir "$BATS_TEST_TMPDIR/JOB_1"
	equal "$(cat "$BATS_TEST_TMPDIR/JOB_1/timeline/stacks.folded")" "ACL, process 7;Thread 8;call1 10
ACL, process 7;Thread 8;call1;call2 10
ACL, process 7;Thread 8;call1;call2;call3 10"
}

@test "a job without calls and tasks has no file, and says so" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --no-execute --calls 0 --tasks 0 --aicpu 0
	expect 0 export stacks -dir "$BATS_TEST_TMPDIR/JOB_1"
	[ ! -e "$BATS_TEST_TMPDIR/JOB_1/timeline/stacks.folded" ]
}
