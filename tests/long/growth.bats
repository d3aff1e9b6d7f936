#!/usr/bin/env bats
# growth.bats: jobs of twice the size take twice the work, whatever grows, for each command.

load ../cli/helpers

@test "each dimension doubled: no command takes more than 2.5 times the work" {
	command -v valgrind >/dev/null || skip "valgrind is not there"
	run python3 "$HELPERS/growth.py" "$BATS_TEST_TMPDIR"
	printf '# %s\n' "${lines[@]}" >&3
	[ "$status" = 0 ] || fail "$output"
}
