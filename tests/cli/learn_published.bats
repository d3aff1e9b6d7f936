#!/usr/bin/env bats
# learn_published.bats: places of counters are found from a published table alone, in which long names are cut.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/published

setup() {
	published_setup
}

@test "places from the published table alone: every cell comes out again" {
	for seed in 0 1 2 3 4 5 6 7 8 9; do
		learned "$seed"
	done
}

@test "a table of a few tasks proves nothing" {
	board 1
	# without the row of totals
	sed '2d; 7,$d' op_summary*.csv >few.csv
	expect 3 learn -dir "$JOB" --from few.csv
	has "$output" "only 4 rows say it: other places may fit by accident"
	has "$(cat layouts/learned.rec)" unverified
}

@test "the table of another job is not proven" {
	board 0
	awk -F, -v OFS=, 'NR > 2 { $6 = ($6 * 37) % 91 + 3; $16 = ($16 * 7) % 5 } 1' op_summary*.csv >other.csv
	expect 1 learn -dir "$JOB" --from other.csv
	has "$stderr" "is this a table of this job?"
}
