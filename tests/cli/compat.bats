#!/usr/bin/env bats
# compat.bats: docs/COMPAT.md has one row for each requirement, and the tests that it names exist.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	REQUIREMENTS=${SHARED%/data}/spec/requirements.md
}

# The errors in a COMPAT: complaints FILE [REQUIREMENTS]
complaints() {
	python3 "$HELPERS/compat.py" "$ROOT" "$@"
}

@test "every row names a file that exists, and tests or words that are in it; no requirement has two rows" {
	equal "$(complaints "$ROOT/docs/COMPAT.md")" ''
	[ "$(grep -c '^| R[0-9]' "$ROOT/docs/COMPAT.md")" -ge 100 ]
}

@test "every requirement has a row" {
	[ -f "$REQUIREMENTS" ] || skip "../shared/spec/requirements.md is not there"
	equal "$(complaints "$ROOT/docs/COMPAT.md" "$REQUIREMENTS")" ''
}

@test "wrong rows are found" {
	cat >wrong.md <<-'END'
		| R000-01 | a rule | tests/cli/compat.bats: "wrong rows are found" |
		| R000-02 | a rule | tests/cli/compat.bats: "wrong rows are found", "wrong rows" |
		| R000-03, R000-01 | a rule | tests/cli/nosuch.bats: "wrong rows are found" |
		| R000-04 | a rule | tests/recorder/test_states.c: test_nothing |
		| R000-05 | a rule | README.md: "words that the README does not have" |
		| R000-06 | a rule | believe it |
		| no id | tests/cli/compat.bats: "no test" |
	END
	printf '| R000-0%s | rule | D | test |\n' 1 2 3 4 5 7 >required.md
	equal "$(complaints wrong.md required.md)" "R000-02: tests/cli/compat.bats has no 'wrong rows'
R000-03, R000-01: no file tests/cli/nosuch.bats
R000-03, R000-01: no reference
R000-04: tests/recorder/test_states.c has no 'test_nothing'
R000-05: README.md has no 'words that the README does not have'
R000-06: no reference
no id: tests/cli/compat.bats has no 'no test'
R000-01: 2 rows
R000-07: no row
R000-06: no such requirement"
}
