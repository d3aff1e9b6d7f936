#!/usr/bin/env bats
# ascend2022_slices.bats: JOB directories of the 2022 generation in slices, and bad slices.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

@test "records that lie across slices are whole: the same data in one, two or three slices" {
	made tasks=8 steps=2 hash=1
	expect 0 import -dir "$JOB"
	one=$(query 'SELECT * FROM tasks; SELECT * FROM op_tensor; SELECT pid, tid, type, name, start_ns, dur_ns FROM api_calls')
	for slices in 2 3; do
		made tasks=8 steps=2 hash=1 slices=$slices
		expect 0 import -dir "$JOB"
		[ -f "$JOB/data/hwts.data.0.slice_$((slices - 1))" ]
		equal "$(query 'SELECT * FROM tasks; SELECT * FROM op_tensor; SELECT pid, tid, type, name, start_ns, dur_ns FROM api_calls')" "$one"
		expect 0 check -dir "$JOB"
		has "$output" "whole: every byte belongs to a record"
	done
}

@test "slices are read in the order of their numbers, not of their names" {
	made tasks=24 slices=12
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT group_concat(task_id) FROM tasks')" "$(seq -s, 24)"
	equal "$(query 'SELECT count(*) FROM tasks WHERE name IS NULL OR name <> printf('\''net/Op_%d'\'', task_id - 1)')" 0
}

@test "a slice that is gone is missed, and costs the records that it held and no more" {
	made tasks=24 slices=3
	cut=$JOB/data/hwts.data.0.slice_1
	rm "$cut" "$cut.done"
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT group_concat(task_id) FROM tasks')" "$(seq -s, 8),$(seq -s, 17 24)"
	equal "$(query "SELECT file, text FROM note WHERE kind = 'missing'")" "data/hwts.data.0.slice_2|the slice before it is missing"
}

@test "aged heads: what begins in the middle of a record goes on at the next" {
	made tasks=8
	for name in hwts.data aicore.data; do
		file=$JOB/data/$name.0.slice_0
		tail -c +38 "$file" >"${file%0}7"
		rm "$file" "$file.done"
	done
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT group_concat(task_id) FROM tasks')" "2,3,4,5,6,7,8"
	equal "$(query "SELECT count(*) FROM task WHERE pmu_row IS NULL")" 0
	has "$stderr" "7 earlier slices were aged away"
	# without match bytes the size of the whole stream determines where a record begins
	made extra=1
	tail -c +8 "$JOB/data/ddr.data.0.slice_0" >"$JOB/data/ddr.data.0.slice_5"
	rm "$JOB"/data/ddr.data.0.slice_0*
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT group_concat(stamp_us), group_concat(count) FROM ddr')" "2000,3000,4000|4096,4096,4096"
}

@test "early slices were aged away: an export of what they had names an iteration that is whole" {
	made tasks=24 steps=6 slices=12
	rm "$JOB"/data/hwts.data.0.slice_[0-4]*
	# the third iteration has lost tasks 9 and 10, the fourth is tasks 13 to 16
	for words in "export summary -dir $JOB" "export timeline -dir $JOB --iteration-id 3"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $words
		has "$stderr" "early data was aged away: iteration" "of model 1 is not whole; --model-id 1 --iteration-id 4 is"
	done
	expect 0 export summary -dir "$JOB" --model-id 1 --iteration-id 4
	lacks "$stderr" "is not whole"
	equal "$(tail -n +2 "$JOB/summary/op_summary_0_1_4.csv" | wc -l)" 4
	made tasks=24 steps=6 slices=12
	expect 0 export summary -dir "$JOB"
	lacks "$stderr" "is not whole"
}

@test "cut and flipped: every byte accounted for, exit 3 exactly when something was lost" {
	made tasks=3 steps=1 hash=1 calls=2
	python3 "$HELPERS/harm_ascend.py" "$MSPROF" "$JOB" 499 15 5
}

@test "records of another generation in the same directory are not understood, and listed" {
	made tasks=2
	echo x >"$JOB/data/unaging.api_event.data.slice_0"
	echo x >"$JOB/data/Framework.host.vm.point.0.slice_0"
	expect 0 import -dir "$JOB"
	has "$stderr" "files that are not understood: 2"
	equal "$(query 'SELECT count(*) FROM tasks')" 2
}

@test "absurd clocks and numbers: nothing overflows, what is odd is said" {
	made tasks=2
	sed -i 's/cntvct: .*/cntvct: 18446744073709551615/' "$JOB/dev_start.log.0"
	expect 0 import -dir "$JOB"
	expect 0 export timeline -dir "$JOB" -q
	sed -i 's/cntvct: .*/cntvct: 9223372036854775807/; s/raw: .*/raw: 9223372036854775807/' "$JOB/dev_start.log.0" "$JOB/host_start.log.0"
	expect 0 import -dir "$JOB"
	for kind in summary timeline; do expect 0 export $kind -dir "$JOB" -q; done
	sed -i 's/"hwts_frequency": "24"/"hwts_frequency": "-1"/; s/"aic_frequency": "300"/"aic_frequency": "nan"/' "$JOB/info.json.0"
	expect 0 export summary -dir "$JOB"
	has "$stderr" "hwts_frequency" "aic_frequency"
}
