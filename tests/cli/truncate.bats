#!/usr/bin/env bats
# truncate.bats: cut, harmed and killed at some places; tests/long does it at all of them.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

@test "every file cut at every 13th byte: the whole records are imported, no more and no less" {
	python3 "$HELPERS/truncate.py" "$MSPROF" "$JOB" 13
}

@test "500 random mutations: no signal, sound databases, no control characters" {
	python3 "$HELPERS/mutate.py" "$MSPROF" "$JOB" 500 1
}

@test "60 imports killed at random moments: the database stays whole" {
	generate --tasks 20000 --calls 2000
	python3 "$HELPERS/kill.py" "$MSPROF" "$JOB" 60 1
}
