#!/usr/bin/env bats
# learn.bats: made-up boards of certain seeds, each of which was once learned wrongly or not at all.
# shellcheck disable=SC2154 # $output is set by run

load ../cli/helpers

setup() {
	export PYTHONDONTWRITEBYTECODE=1
	umask 0027
	cd "$BATS_TEST_TMPDIR" || return
}

@test "files that end within a record, damage, narrow places, and streams that no task names are learned" {
	# cut; cut, with kinds; damaged; damaged, in two records; a duration beside zeros; streams in statistics, and in no table
	for seed in 32 168 66 113 119 62 239; do
		run python3 "$HELPERS/learn_seeds.py" "$MSPROF" "$seed" 1
		equal "${lines[-1]}" "1 seeds: 1 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
	done
}

@test "no table says moments, and a few rows are given to other records: the clock keeps all of its bits" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 472 1
	equal "${lines[-1]}" "1 seeds: 1 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
}

@test "records that look as if they began later begin where all columns are found" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 251 1
	equal "${lines[-1]}" "1 seeds: 1 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
}

@test "clocks of records that do not divide the clock of the core: exports make every cell again" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 1 3 --odd-clocks
	equal "${lines[-1]}" "3 seeds: 3 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
	[ "${lines[-2]% exported*}" -gt 10000 ] || fail "$output"
}

@test "zeros of a header are no records, and a record that no table has is not proven" {
	for seed in 153 194; do
		run python3 "$HELPERS/learn_seeds.py" "$MSPROF" "$seed" 1 --odd-clocks
		equal "${lines[-1]}" "1 seeds: 1 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
	done
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 32 1 --odd-clocks
	has "${lines[-1]}" " 0 WRONG, 0 FAILED"
}

@test "a few records behind a long header are found by how many there are" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 51 1
	equal "${lines[-1]}" "1 seeds: 1 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
}

@test "a table that was cut shows small numbers: the sum tells how wide they are" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 348 1
	equal "${lines[-1]}" "1 seeds: 1 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
}
