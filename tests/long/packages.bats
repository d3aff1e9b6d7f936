#!/usr/bin/env bats
# packages.bats: every command that tests and Makefile call is in a package that the Makefile names.

load ../cli/helpers
load ../cli/helpers/packages

setup() {
	packages_setup
}

@test "what the tests of make check call" {
	cd "$ROOT/tests"
	cat run*.sh scratch.bash board/*.sh cli/*.ba* cli/helpers/*.bash cli/helpers/*.sh recorder/*.ba* recorder/*.sh ../cli/msprof.bash |
		brought BUILD_PACKAGES TEST_PACKAGES OPTIONAL_PACKAGES
}

@test "what make check and make install run" {
	{
		dry_run check demo install
		cat "$ROOT/tests/scratch.bash"
	} | brought BUILD_PACKAGES TEST_PACKAGES OPTIONAL_PACKAGES
}

@test "a command of another package is told" {
	local other
	other=$(dpkg-query -W -f '${Priority} ${Package}\n' | sed -n 's/^optional //p' | grep -vxF -f <(named BUILD_PACKAGES TEST_PACKAGES) |
		xargs dpkg -L | sed -n 's|^/usr/bin/\([a-z0-9]*\)$|\1|p' | head -1)
	[ -n "$other" ] || skip "no other package has a command"
	run brought BUILD_PACKAGES TEST_PACKAGES <<<"$(printf '%s\n' ls cat cp mv rm sed awk cut tr wc head tail "$other -x")"
	equal "$status" 1
	has "$output" "no package that the Makefile names brings: $other"
}

@test "what the other targets run" {
	cd "$ROOT/tests"
	# shellcheck disable=SC2046 # words
	dpkg-query -W $(listed LINT_PACKAGES LONG_PACKAGES) >/dev/null 2>&1 || skip "not all packages are installed: make deps"
	{
		dry_run lint bench check-long fuzz check-fuzz
		cat ./*.*sh fault/*.bash lint/*.sh bench/*.sh fuzz/*.sh long/*.bats cli/*.bash cli/helpers/*.bash recorder/*.bash
	} | brought BUILD_PACKAGES TEST_PACKAGES LINT_PACKAGES LONG_PACKAGES OPTIONAL_PACKAGES
}
