#!/usr/bin/env bats
# seeds.bats: more of what is drawn by seeds: boards with unknown layouts, planted findings, and simulated pairs.
# shellcheck disable=SC2154 # $output is set by run

load ../cli/helpers
load ../cli/helpers/published

setup() {
	export PYTHONDONTWRITEBYTECODE=1
	cd "$BATS_TEST_TMPDIR" || return
}

@test "of fifty boards with other layouts none is learned wrong" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 1 50
	[ "$status" -eq 0 ] || fail "$output"
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 1 8 --odd-clocks
	equal "${lines[-1]}" "8 seeds: 8 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
	[ "${lines[-2]% exported*}" -gt 40000 ] || fail "$output"
}

@test "true layouts of fifty boards reproduce every reference" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 1 50 --truth
	equal "${lines[-1]}" "50 seeds: 50 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
}

@test "layouts from a published table alone, with other seeds" {
	published_setup
	for seed in 0 1 2 3 4 5 6 7 8 9 10 11 14 16 17 19 23 26 38; do
		learned "$seed"
	done
}

@test "planted findings with ten seeds" {
	run python3 "$HELPERS/advise_seeds.py" "$MSPROF" "$BUILD/tests/genprof" 10
	[ "$status" -eq 0 ] || fail "$output"
	run python3 "$HELPERS/advise_hostile.py" "$MSPROF" "$BUILD/tests/genprof" 1 200
	[ "$status" -eq 0 ] || fail "$output"
}

@test "a hundred simulated pairs of each kind" {
	mkdir pairs
	run python3 "$HELPERS/diff_pairs.py" "$MSPROF" pairs 100
	[ "$status" -eq 0 ] || fail "$output"
}
