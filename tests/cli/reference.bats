#!/usr/bin/env bats
# reference.bats: exports of Ascend data against recorded outputs of the reference tools, as `make compat` prints it.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	ORACLE=${SHARED%/data}/oracle
}

@test "recorded cases and a real job: every file and table is that of the reference, but for the differences that COMPAT lists" {
	[ -f "$ORACLE/check.py" ] || skip "../shared/oracle is not there"
	run --separate-stderr python3 "$HELPERS/reference.py" "$MSPROF" "${SHARED%/data}" "$ROOT/docs/COMPAT.md"
	# shellcheck disable=SC2154 # bats sets stderr
	equal "$stderr" ''
	[ "$status" -eq 0 ]
	has "$output" 'PROF directories of today: 72 cases' 'JOB directories of 2022: 53 cases' '0 answered otherwise'
}
