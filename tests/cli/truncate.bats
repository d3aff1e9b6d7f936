#!/usr/bin/env bats
# truncate.bats: cuts, damage and kills at some places; tests/long covers all places.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/svp_job

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return # for report.html
}

@test "files of three chips cut about the ends of records and texts, texts at every 11th byte, the others at every 47th: the whole records are imported, no more and no less" {
	for soc in ss928 dv500 cv610; do
		small_job $soc
		python3 "$HELPERS/truncate.py" "$MSPROF" "$JOB" 11 info .done
		python3 "$HELPERS/truncate.py" "$MSPROF" "$JOB" 47 aicore aicpu acl_api cont layer.info net.info
	done
}

@test "60 random mutations: no signal, sound databases, no control characters" {
	python3 "$HELPERS/mutate.py" "$MSPROF" "$JOB" 60 1
}

@test "10 imports killed at random moments: the database stays whole" {
	generate --tasks 6000 --calls 1000
	python3 "$HELPERS/kill.py" "$MSPROF" "$JOB" 10 1
}
