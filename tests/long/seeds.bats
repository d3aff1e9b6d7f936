#!/usr/bin/env bats
# seeds.bats: more of what is drawn by seeds: boards with unknown layouts, planted findings, and simulated pairs.
# shellcheck disable=SC2154 # $output is set by run

load ../cli/helpers
load ../cli/helpers/published

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "forty mixtures of PROF directories: rows, events and databases for other tools are those of the scene" {
	local seed helper
	for seed in $(seq 40); do
		for helper in prof_mixture prof_mixture_db; do
			run python3 "$HELPERS/$helper.py" "$BUILD/tests/genrec" "$MSPROF" "$seed" "$PWD/PROF_$seed"
			[ "$status" -eq 0 ] || fail "$output"
			discard "PROF_$seed"
		done
	done
}

@test "records of PROF directories in any order: 12 seeds, each file shuffled alone by 4 of them" {
	local seed
	for seed in $(seq 12); do
		mkdir "$seed"
		run python3 "$HELPERS/unordered.py" "$BUILD/tests/genprof" "$BUILD/tests/genrec" "$MSPROF" "$seed" "$PWD/$seed"
		[ "$status" -eq 0 ] || fail "$output"
		discard "$seed"
	done
}

@test "of two hundred boards with counters in hidden places none is learned wrong" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 1 200
	[ "$status" -eq 0 ] || fail "$output"
}

@test "what makes learn search long, and damaged jobs with damaged tables: soon an end, and nothing harmful" {
	run python3 "$HELPERS/learn_heavy.py" "$MSPROF" . 1 100 1000
	[ "$status" -eq 0 ] || fail "$output"
	run python3 "$HELPERS/learn_heavy.py" "$MSPROF" . 1000 100 30
	[ "$status" -eq 0 ] || fail "$output"
	for seed in {1..6}; do
		python3 "$ROOT/tests/gen/learn.py" --seed "$seed" --out "board$seed"
	done
	run python3 "$HELPERS/learn_mutants.py" "$MSPROF" . 1 1000 board*/JOB*
	[ "$status" -eq 0 ] || fail "$output"
}

@test "damaged inis of boards" {
	unshare -n true 2>/dev/null || skip "a network cannot be left here"
	run unshare -n python3 "$HELPERS/ini_mutants.py" "$MSPROF" "$BATS_TEST_TMPDIR" 1 2000
	[ "$status" -eq 0 ] || fail "$output"
}

@test "places from a published table alone, with other seeds" {
	published_setup
	for seed in {10..29}; do
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
