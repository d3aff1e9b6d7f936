#!/usr/bin/env bats
# growth.bats: jobs of twice the size take twice the work. tests/long/growth.bats has all dimensions and commands.

load helpers

@test "twice the models, operator types, iterations or ranks take twice the work" {
	needs_this_processor
	command -v valgrind >/dev/null || skip "valgrind is not there"
	run python3 "$HELPERS/growth.py" "$BATS_TEST_TMPDIR" 'svp models:show' 'svp models that take turns:timeline' \
		'prof types:summary' 'prof iterations:advise' 'prof models:query' 'prof models:* --iteration-id 1' \
		'prof halves of one time:import' 'prof slices*byte*:import' 'prof slices of cores:show' 'cluster ranks:cluster'
	[ "$status" = 0 ] || fail "$output"
}
