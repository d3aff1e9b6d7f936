#!/usr/bin/env bats
# plain.bats: each mechanism of MSPROF_PLAIN by itself, and more jobs with all of them than tests/cli/plain.bats has.

load ../cli/helpers
load ../cli/helpers/plain

@test "each mechanism by itself" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 3000 --samples
	both_ways "$BATS_TEST_TMPDIR/PROF_1" expressions leaves pages threads expressions,pages
}

@test "PROF directories: more tasks than tests/cli/plain.bats has" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 5000 --streams 24
	both_ways "$BATS_TEST_TMPDIR/PROF_1" 1
}

@test "jobs of boards: few and many tasks, which overlap" {
	generate --tasks 300 --pictures 3 --calls 2000 --threads 3
	both_ways "$JOB" 1
	generate --tasks 3000 --pictures 2 --aicpu 3000 --overlap 10
	both_ways "$JOB" 1
	generate --tasks 9000 --pictures 3 --aicpu 3000 --calls 2000 --threads 3 --models 2 --utf8
	both_ways "$JOB" 1
}

@test "real captures and reference data" {
	local found=
	for job in "$SHARED"/ascend910-job/JOB* "$SHARED"/ascend-job-2022*/JOB* "$SHARED"/ascend-prof/PROF*; do
		[ -d "$job" ] || continue
		both_ways "$job" 1
		found=1
	done
	[ -n "$found" ] || skip "../shared/data is not there"
}
