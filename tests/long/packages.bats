#!/usr/bin/env bats
# packages.bats: every command that the targets beside `make check` call is in a package that the Makefile names.

load ../cli/helpers
load ../cli/helpers/packages

setup() {
	packages_setup
}

@test "what the other targets run" {
	cd "$ROOT/tests"
	# shellcheck disable=SC2046 # words
	dpkg-query -W $(listed LINT_PACKAGES LONG_PACKAGES) >/dev/null 2>&1 || skip "not all packages are installed: make deps"
	{
		dry_run lint bench check-long fuzz
		cat ./*.*sh lint/*.sh bench/*.sh long/*.bats cli/*.bash cli/helpers/*.bash recorder/*.bash
	} | brought BUILD_PACKAGES TEST_PACKAGES LINT_PACKAGES LONG_PACKAGES
}
