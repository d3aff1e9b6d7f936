#!/usr/bin/env bats
# damage.bats: the full tests behind the samples in tests/cli/truncate.bats and ascend2022_slices.bats.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers
load ../cli/helpers/svp_job

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return # for report.html
}

@test "files of three chips cut at every byte: the whole records are imported, no more and no less" {
	for soc in ss928 dv500 cv610; do
		small_job $soc --pictures 2 --calls 6 --tasks 3 --fused 100
		python3 "$HELPERS/truncate.py" "$MSPROF" "$JOB" 1
	done
}

@test "2022: every file cut at every 13th byte, and its first records flipped: every byte accounted for" {
	made tasks=3 steps=1 hash=1 calls=2
	python3 "$HELPERS/harm_ascend.py" "$MSPROF" "$JOB" 13 2 1
}

@test "10,000 pictures in one file of Hi3519DV500, and 1,000 models" {
	genjob pictures --soc dv500 --tasks 2 --pictures 10000 --calls 0
	expect 0 import -dir pictures
	equal "$(query "SELECT count(*), count(DISTINCT file), sum(records) FROM source WHERE target = 'aicore_task'" pictures/sqlite/msprof.db)" "10000|1|20000"
	genjob models --models 1000 --tasks 3 --calls 4
	expect 0 import -dir models
	equal "$(query "SELECT count(*) FROM inference" models/sqlite/msprof.db)" 1000
}

@test "10,000 random mutations: no signal, sound databases, no control characters" {
	for seed in 1 2 3 4; do
		[ "$seed" != 3 ] || generate --soc dv500 --models 2 --tasks 8 --pictures 3 --host-calls 40 --fused 50
		python3 "$HELPERS/mutate.py" "$MSPROF" "$JOB" 2500 "$seed"
	done
}

@test "1,000 imports killed at random moments: the database stays whole" {
	generate --tasks 20000 --calls 2000
	python3 "$HELPERS/kill.py" "$MSPROF" "$JOB" 1000 1
}

@test "timelines nest for a hundred jobs with overlaps" {
	for seed in $(seq 100); do
		generate --seed "$seed" --overlap $((seed % 101)) --host-calls 200 --threads 3 --tasks 150 --aicpu 30
		expect 0 export timeline -q -dir "$JOB"
		python3 "$HELPERS/timeline.py" "$JOB" raw
	done
}

@test "a hundred jobs of other shapes: every cell of every summary, in both styles" {
	local socs=(ss928 dv500 cv610)
	for seed in $(seq 50); do
		generate --seed "$seed" --soc "${socs[seed % 3]}" --models $((seed % 3 + 1)) --pictures $((seed % 4 + 1)) --interval 2 --tasks $((seed * 3)) \
			--frequency $((seed * 37)) --fused $((seed * 2)) --utf8
		for style in guide vendor; do
			discard "$JOB/summary"
			expect 0 export summary -q -dir "$JOB" --style $style
			expect 0 export summary -q -dir "$JOB" --style $style --format json
			python3 "$HELPERS/summary.py" "$JOB" $style
		done
	done
}
