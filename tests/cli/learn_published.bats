#!/usr/bin/env bats
# learn_published.bats: layouts are found from a published table alone, in which long names are cut.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

TABLE=vendor/goturn_op_summary.tsv

setup() {
	needs_shared "$TABLE"
	export PYTHONDONTWRITEBYTECODE=1
	cd "$BATS_TEST_TMPDIR" || return
}

# board SEED: a job whose records have a layout of their own is $JOB, and the published table is op_summary_….csv
board() {
	mkdir "$1" && cd "$1" || return
	python3 "$ROOT/tests/gen/published.py" --seed "$1" --out . "$SHARED/$TABLE"
	JOB=$(echo JOB*)
}

# learned SEED: the table comes out of what is learned of a board
learned() {
	board "$1"
	expect 0 learn -dir "$JOB" --from op_summary*.csv
	has "$output" $'Missing :\n  none' "│   375 │   375 │               0 │"
	expect 0 export summary -dir "$JOB" --layouts layouts --style vendor
	python3 "$ROOT/tests/cli/helpers/published_cells.py" "$SHARED/$TABLE" "$JOB"/summary/op_summary_*.csv ||
		fail "seed $1: $(cat truth.json)"
	cd ..
}

@test "eleven layouts from the published table alone: every cell comes out again" {
	for seed in 0 1 2 4 5 6 8 9 10 14 16; do
		learned "$seed"
	done
}

@test "clocks that do not fit the nanosecond: every cell comes out again, too" {
	for seed in 3 7 11 19; do
		learned "$seed"
	done
}

@test "a guessed start takes no place from a column of the table" {
	for seed in 17 23 26 38; do
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
