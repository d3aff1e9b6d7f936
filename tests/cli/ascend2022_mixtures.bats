#!/usr/bin/env bats
# ascend2022_mixtures.bats: JOB directories of the 2022 generation with several features together.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# names FILE: the names of the tasks in a trace of $JOB
names() {
	jq -r '[.[] | select(.ph == "X" and (.name | startswith("net/"))).name] | join(" ")' "$JOB/timeline/$1_0_1_2.json"
}

@test "operators of iterations with the same tasks: tracks have the last, the stack of phases has those of the first turn" {
	made tasks=12 steps=3 dynamic=1
	expect 0 export timeline -dir "$JOB" --model-id 1 --iteration-id 2
	equal "$(names task_time)" "net/Op_8 net/Op_9 net/Op_10 net/Op_11"
	equal "$(names ai_stack_time)" "net/Op_0 net/Op_1 net/Op_2 net/Op_3"
	equal "$(query 'SELECT turn, count(*), min(op_id) FROM op_turn GROUP BY turn')" "0|4|1"
	equal "$(query 'SELECT group_concat(op_id) FROM op_last')" "9,10,11,12"
	# a database of an earlier version has neither table
	mv "$JOB/timeline" "$JOB/before"
	sqlite3 "$JOB/sqlite/msprof.db" 'DROP TABLE op_turn; DROP TABLE op_last'
	discard "$JOB/data"
	mkdir "$JOB/data"
	expect 0 export timeline -dir "$JOB" --model-id 1 --iteration-id 2
	has "$stderr" "was made by another version of msprof"
	diff -r "$JOB/before" "$JOB/timeline"
}

# mixture SEED: a job in $JOB, with all its iterations exported
mixture() {
	local sizes model
	JOB=$BATS_TEST_TMPDIR/JOB$1
	sizes=$(python3 "$HELPERS/ascend2022_mix.py" make "$JOB" "$1")
	for model in $(seq "${sizes% *}"); do
		if [ "${sizes#* }" = 0 ]; then
			expect 0 export summary -q -dir "$JOB"
			break
		fi
		expect 0 export summary -q -dir "$JOB" --model-id "$model" --iteration-id 1 --iteration-count "${sizes#* }"
	done
}

@test "mixtures of iterations, models, devices, chips, cores, the AI CPU and groups of counters: each cell follows from the records" {
	for seed in $(seq 15); do
		mixture "$seed"
		python3 "$HELPERS/ascend2022_mix.py" compare "$JOB" "$seed"
	done
}

@test "mixtures are compared cell by cell: one that differs is found" {
	mixture 7
	python3 "$HELPERS/ascend2022_mix.py" compare "$JOB" 7
	sed -i '2s/^net1,/net2,/' "$JOB"/summary/op_summary_*_1_1.csv
	status=0
	python3 "$HELPERS/ascend2022_mix.py" compare "$JOB" 7 >"$BATS_TEST_TMPDIR/wrong" || status=$?
	equal "$status" 1
	grep -q "Model Name is net2, not net1" "$BATS_TEST_TMPDIR/wrong"
}
