#!/usr/bin/env bats
# sandbox.bats: each command with each path of each option; tests/cli/sandbox.bats has each option once.
# shellcheck disable=SC2154 # $status and $output are set by run

load ../cli/helpers
load ../cli/prof

@test "paths of options, in trees apart: the sandbox changes no output, file, message and exit status" {
	python3 "$ROOT/tests/gen/learn.py" --plain --seed 5 --out "$BATS_TEST_TMPDIR/learn"
	run python3 "$HELPERS/sandbox_paths.py" "$MSPROF" "$BATS_TEST_TMPDIR/place" "$JOB" "$PROF" "$(echo "$BATS_TEST_TMPDIR"/learn/JOB*)" all
	equal "$status: ${output//[0-9]/}" "0:  command lines,  differ"
}
