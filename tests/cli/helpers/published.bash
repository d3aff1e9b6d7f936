# published.bash: boards whose counters lie in places of their own, and whose table is the published one.
# shellcheck shell=bash

TABLE=vendor/goturn_op_summary.tsv

published_setup() {
	needs_shared "$TABLE"
	cd "$BATS_TEST_TMPDIR" || return
}

# board SEED: a job whose counters lie in places of their own is $JOB, and the published table is op_summary_….csv
board() {
	mkdir "$1" && cd "$1" || return
	python3 "$ROOT/tests/gen/published.py" --seed "$1" --out . "$SHARED/$TABLE"
	JOB=$(echo JOB*)
}

# learned SEED: the table comes out of what is learned of a board
learned() {
	board "$1"
	expect 0 learn -dir "$JOB" --from op_summary*.csv
	has "$output" "│   280 │   280 │               0 │"
	expect 0 export summary -dir "$JOB" --layouts layouts --style vendor
	python3 "$ROOT/tests/cli/helpers/published_cells.py" "$SHARED/$TABLE" "$JOB"/summary/op_summary_*.csv ||
		fail "seed $1: $(cat truth.json)"
	cd ..
}
