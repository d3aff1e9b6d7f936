#!/usr/bin/env bats
# learn_published.bats: layouts are found from a published table alone, in which long names are cut.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/published

setup() {
	published_setup
}

@test "layouts from the published table alone: every cell comes out again" {
	for seed in 0 4 9 14 16; do
		learned "$seed"
	done
}

@test "clocks that do not fit the nanosecond: every cell comes out again, too" {
	for seed in 3 11; do
		learned "$seed"
	done
}

@test "a guessed start takes no place from a column of the table" {
	for seed in 17 38; do
		learned "$seed"
	done
}

@test "a table of a few tasks proves nothing" {
	board 1
	# without the row of totals
	sed '2d; 7,$d' op_summary*.csv >few.csv
	expect 3 learn -dir "$JOB" --from few.csv
	has "$output" "only 4 tasks have rows: more than one layout may fit"
	has "$(cat layouts/learned.rec)" unverified
}

@test "the table of another job is not proven" {
	board 0
	# the rows are the same, in another order of the tasks, and with other times
	awk -F, -v OFS=, 'NR > 2 { $6 = ($6 * 37) % 91 + 3; $16 = ($16 * 7) % 5 } 1' op_summary*.csv >other.csv
	run --separate-stderr "$BUILD/msprof" learn -dir "$JOB" --from other.csv
	[ "$status" -eq 1 ] || [ "$status" -eq 3 ] || fail "status $status: $output"
	has "$output$stderr" "are these the tables of this job?"
	lacks "$output" "svp.aicore     │ learned"
}
