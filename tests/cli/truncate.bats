#!/usr/bin/env bats
# truncate.bats: cuts, damage and kills at some places; tests/long covers all places.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return # for report.html
}

@test "every file cut about the ends of records, and at every 1999th byte: the whole records are imported, no more and no less" {
	python3 "$HELPERS/truncate.py" "$MSPROF" "$JOB" 1999
}

@test "60 random mutations: no signal, sound databases, no control characters" {
	python3 "$HELPERS/mutate.py" "$MSPROF" "$JOB" 60 1
}

@test "10 imports killed at random moments: the database stays whole" {
	generate --tasks 20000 --calls 2000
	python3 "$HELPERS/kill.py" "$MSPROF" "$JOB" 10 1
}
