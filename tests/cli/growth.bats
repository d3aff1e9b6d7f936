#!/usr/bin/env bats
# growth.bats: jobs of twice the size take twice the work. tests/long/growth.bats has all dimensions and commands.

load helpers

@test "twice the models, slices or ranks take twice the work" {
	needs_this_processor
	command -v valgrind >/dev/null || skip "valgrind is not there"
	run python3 "$HELPERS/growth.py" "$BATS_TEST_TMPDIR" 'svp models that take turns:timeline' 'prof models:summary --iteration-id 1' \
		'prof slices of a byte:import' 'cluster ranks:cluster'
	[ "$status" = 0 ] || fail "$output"
}
