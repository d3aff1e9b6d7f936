#!/usr/bin/env bats
# plain.bats: each mechanism of MSPROF_PLAIN by itself; tests/cli/plain.bats has all of them together.

load ../cli/helpers
load ../cli/helpers/plain

@test "each mechanism by itself" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 3000 --samples
	both_ways "$BATS_TEST_TMPDIR/PROF_1" expressions leaves pages threads expressions,pages
}
