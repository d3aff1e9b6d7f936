#!/usr/bin/env bats
# ascend2022.bats: JOB directories of the 2022 generation: the reference's files, iterations, counters, names.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

NAME=JOBHGFEDCBAIHGFEDCBAIHGFEDCBAIHG

# A copy of one of the shared jobs in $JOB
shared_job() {
	needs_shared "$1"
	JOB=$BATS_TEST_TMPDIR/$NAME
	DB=$JOB/sqlite/msprof.db
	discard "$JOB"
	cp -rp "$SHARED/$1/$NAME" "$JOB"
	chmod -R u+w "$JOB"
}

# line N of a summary
line() {
	sed -n "$1p" "$JOB/summary/$2" | tr -d '\r'
}

@test "every file of the reference: the same rows, columns, numbers, events and arrows" {
	shared_job ascend-job-2022
	for kind in summary timeline; do
		expect 0 export $kind -dir "$JOB"
		run python3 "$HELPERS/same_files.py" "$SHARED/ascend-job-2022/expected/$kind" "$JOB/$kind"
		[ "$status" = 0 ] || fail "$output"
	done
	lacks "$stderr" warning
}

@test "iterations: every file of the reference for each of the three" {
	shared_job ascend-job-2022-steps
	for kind in summary timeline; do
		for i in 1 2 3; do
			expect 0 export $kind -dir "$JOB" --model-id 1 --iteration-id $i
		done
		run python3 "$HELPERS/same_files.py" "$SHARED/ascend-job-2022-steps/expected/$kind" "$JOB/$kind"
		[ "$status" = 0 ] || fail "$output"
	done
}

@test "several iterations at once, and what does not exist is an error that says so" {
	made tasks=6 steps=3
	expect 0 export summary -dir "$JOB" --iteration-id 2 --iteration-count 5
	files=("$JOB"/summary/op_summary*)
	equal "${#files[@]}" 2
	[ -f "$JOB/summary/op_summary_0_1_3.csv" ]
	expect 0 export summary -dir "$JOB"
	[ -f "$JOB/summary/op_summary_0_1_1.csv" ]
	expect 1 export summary -dir "$JOB" --iteration-id 9
	has "$stderr" "iteration 9" "msprof query"
	expect 1 export timeline -dir "$JOB" --model-id 2
	has "$stderr" "model 2" "msprof query"
	expect 2 export summary -dir "$JOB" --iteration-id 0
	has "$stderr" "invalid iteration-id '0' (a whole number, 1 or more)"
	expect 2 export summary -dir "$JOB" --iteration-count 6
	expect 2 export summary -dir "$JOB" --model-id x
}

@test "query lists devices, models and iterations" {
	made tasks=6 steps=3
	expect 0 query -dir "$JOB" --format csv
	has "$output" "$(titles query/ascend2022/1_jobs)" \
		'made,0,JOBMADE,2025-01-01 00:00:00.000000,1,3,"1,2,3"'
	expect 0 query -dir "$JOB"
	lacks "$output" "No iterations"
	made tasks=2
	expect 0 query -dir "$JOB"
	has "$output" $'Jobs :\nNo iterations of a model were recorded: exports hold all there is.\n'
	expect 0 query -dir "$JOB" --format csv
	has "$output" "made,0,JOBMADE,2025-01-01 00:00:00.000000,1,N/A,N/A"
	fresh_job
	expect 0 query -dir "$JOB"
	has "$output" "Model ID" 46
}

@test "tasks after the last iteration: in none of them, their batches counted from 0" {
	made tasks=4 steps=2
	python3 - "$JOB/data" <<-'END'
		import os, sys
		os.truncate(sys.argv[1] + "/ts_track.data.0.slice_0", 80)  # the first iteration
		with open(sys.argv[1] + "/Framework.task_desc_info.0.slice_0", "r+b") as f:
		    for at in range(0, 4 * 256, 256):
		        f.seek(at + 200)
		        f.write(bytes(8))  # operators of static shape
		        f.seek(at + 234)
		        f.write(bytes([3]))  # of batch 3
	END
	rm "$JOB/data/ts_track.data.0.slice_0.done"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT step_id, batch_id, op_id FROM task')" $'1|0|1\n1|0|2\n|0|3\n|0|4'
}

@test "--clear removes the database once the files are written" {
	made tasks=2
	expect 0 export summary -dir "$JOB" --clear
	[ ! -e "$JOB/sqlite" ]
	[ -f "$JOB/summary/op_summary_0_1.csv" ]
	expect 0 import -dir "$JOB"
	discard "$JOB/data" "$JOB/summary"
	expect 1 export summary -dir "$JOB" --clear
	has "$stderr" "the job has no raw files for another import"
	[ -f "$DB" ]
}

# The counters of each group are 1000, 2000, ... in 15,000 cycles at 300 MHz. The reference fills the columns of a group in
# the order of the events.
@test "metrics of every group in the reference's columns" {
	for case in \
		"ArithmeticUtilization|mac_fp16_ratio,mac_int8_ratio,vec_fp32_ratio,vec_fp16_ratio,vec_int32_ratio,vec_misc_ratio,cube_fops,vector_fops|0.066667,0.133333,0.2,0.4,0.466667,0.6,3000,1632000" \
		"PipeUtilization|vec_time(us),vec_ratio,mac_time(us),mac_ratio,scalar_time(us),scalar_ratio,mte1_time(us),mte1_ratio,mte2_time(us),\
mte2_ratio,mte3_time(us),mte3_ratio,icache_miss_rate,memory_bound|3.333,0.066667,6.667,0.133333,10.0,0.2,13.333,0.266667,16.667,0.333333,20.0,0.4,1.142857,2.500004" \
		"Memory|ub_read_bw(GB/s),ub_write_bw(GB/s),l1_read_bw(GB/s),l1_write_bw(GB/s),main_mem_read_bw(GB/s),main_mem_write_bw(GB/s)|2.384186,4.768372,28.610229,9.536743,33.378601,38.146973" \
		"MemoryL0|l0a_read_bw(GB/s),l0a_write_bw(GB/s),l0b_read_bw(GB/s),l0b_write_bw(GB/s),l0c_read_bw(GB/s),l0c_write_bw(GB/s),\
l0c_read_bw_cube(GB/s),l0c_write_bw_cube(GB/s)|9.536743,19.073486,28.610229,19.073486,23.841858,114.440918,33.378601,152.587891" \
		"ResourceConflictRatio|vec_bankgroup_cflt_ratio,vec_bank_cflt_ratio,vec_resc_cflt_ratio|0.066667,0.133333,0.2" \
		"MemoryUB|ub_read_bw_vector(GB/s),ub_write_bw_vector(GB/s),ub_read_bw_scalar(GB/s),ub_write_bw_scalar(GB/s)|57.220459,76.293945,66.757202,38.146973"; do
		IFS='|' read -r group titles numbers <<<"$case"
		made tasks=1 metrics="$group"
		expect 0 export summary -dir "$JOB" -q
		equal "$(line 1 op_summary_0_1.csv | sed 's/.*Block Dim,//')" "aicore_time(us),total_cycles,$titles"
		equal "$(line 2 op_summary_0_1.csv | sed 's/.*,1,50.0,/50.0,/')" "50.0,15000,$numbers"
	done
}

@test "other chips weigh vector operations otherwise, and blocks take rounds" {
	made tasks=1 metrics=ArithmeticUtilization chip=3 block=4
	expect 0 export summary -dir "$JOB" -q
	has "$(line 2 op_summary_0_1.csv)" ",50.0,15000," ",1232000"
}

@test "events in another order are found by their id; an unknown one is a note" {
	made tasks=1 metrics=PipeUtilization events=0xa,0x8,0x7d pmu=3000,1500,7
	expect 0 export summary -dir "$JOB" -q
	equal "$(line 1 op_summary_0_1.csv | sed 's/.*Block Dim,//')" \
		"aicore_time(us),total_cycles,mac_time(us),mac_ratio,vec_time(us),vec_ratio"
	has "$(line 2 op_summary_0_1.csv)" ",10.0,0.2,5.0,0.1"
	expect 0 check -dir "$JOB"
	has "$output" "event 0x7d" pmu2
	made tasks=1 events='no numbers, 0x, 0xzz'
	expect 0 export summary -dir "$JOB" -q
	equal "$(line 1 op_summary_0_1.csv | sed 's/.*Block Dim,//')" "aicore_time(us),total_cycles"
	made tasks=1 pmu=0,0,0,0,0,0,0,0 cycles=0
	expect 0 export summary -dir "$JOB" -q
	has "$(line 2 op_summary_0_1.csv)" ",0.0,0,0.0,0.0,"
}

@test "names of hashes are resolved; without a dictionary they are printed as numbers" {
	made tasks=2 hash=1
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT name, type, model FROM tasks')" $'net/Op_0|Type0|resnet\nnet/Op_1|Type1|resnet'
	rm "$JOB"/data/*hash_dic*
	expect 0 import -dir "$JOB"
	[[ $(query 'SELECT name FROM tasks LIMIT 1') =~ ^[0-9]{19,20}$ ]]
}

@test "a hash with two names: the last counts, and check says so" {
	made tasks=1 hash=1
	dic=$JOB/data/Framework.hash_dic.0.slice_0
	printf '%s:other\n' "$(head -1 "$dic" | cut -d: -f1)" >>"$dic"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT name FROM tasks')" other
	expect 0 check -dir "$JOB"
	has "$output" "1 hashes have several names"
}

@test "what nothing describes keeps its numbers: no framework data, no counters, no model" {
	made tasks=3
	rm "$JOB"/data/Framework* "$JOB"/data/aicore*
	expect 0 export summary -dir "$JOB" -q
	expect 0 export timeline -dir "$JOB" -q
	equal "$(line 1 op_summary_0_1.csv)" "Model ID,Task ID,Stream ID,Task Type,Task Start Time,Task Duration(us),Task Wait Time(us)"
	equal "$(line 2 op_summary_0_1.csv)" "-1,1,3,AI_CORE,1000000000000,100.0,0.0"
	equal "$(line 3 op_summary_0_1.csv)" "-1,2,3,AI_CORE,1000000110000,100.0,10.0"
	has "$(cat "$JOB/timeline/task_time_0_1.json")" '"name":"N/A","pid":0,"tid":3,"ts":1000000110.0,"dur":100.0'
	expect 0 check -dir "$JOB"
	has "$output" "3 of 3 tasks have no description"
}

@test "missing control files are named, and what is taken for granted" {
	made tasks=2
	rm "$JOB"/dev_start.log.0 "$JOB"/sample.json "$JOB"/end_info.0
	expect 0 import -dir "$JOB"
	has "$stderr" "not aligned with the host" sample.json end_info
	equal "$(query 'SELECT start_ns FROM tasks LIMIT 1')" 1000000000
	rm "$JOB"/info.json.0
	expect 0 import -dir "$JOB"
	has "$stderr" info.json.0 "100 MHz" "aic_frequency" "800 MHz"
	made tasks=2
	sed -i 's/"hwts_frequency": "24", //; s/"platform_version": "1"/"platform_version": "3"/' "$JOB/info.json.0"
	expect 0 import -dir "$JOB"
	has "$stderr" "24 MHz"
	equal "$(query 'SELECT dur_ns FROM tasks LIMIT 1')" 100000
}

@test "an export of the first iteration says that there are more" {
	made steps=3
	expect 0 export summary -dir "$JOB"
	has "$stderr" "'$JOB': iteration 1 of 3 is exported; --iteration-id and --iteration-count choose others"
	expect 0 export summary -dir "$JOB" --iteration-id 2
	lacks "$stderr" "is exported"
	expect 0 export summary -dir "$JOB" -q
	equal "$stderr" ""
	made steps=1
	expect 0 export summary -dir "$JOB"
	lacks "$stderr" "is exported"
}

@test "show says what its times take for granted, also of a database that was there" {
	made tasks=2
	expect 0 show -dir "$JOB"
	lacks "$output" "Assumed :"
	discard "$JOB"/info.json.0 "$JOB"/sqlite
	expect 0 import -dir "$JOB"
	expect 0 show -dir "$JOB"
	has "$output" "Assumed : info.json.0: no aic_frequency: the cores are taken to run at 800 MHz" "100 MHz"
	equal "$stderr" ""
}

@test "--frequency is that of the cores: times of counters change, those of the scheduler do not" {
	made tasks=2
	expect 0 show -dir "$JOB" --format json
	before=$output
	expect 0 show -dir "$JOB" --format json --frequency 600
	has "$output" "the core frequency of 600 MHz is that of --frequency"
	numbers='.tables[] | select(.table == "AI Core Metrics") | .rows[] | [."Task Time(us)", ."vec_time(us)" * %s * 100 | round]'
	# shellcheck disable=SC2059 # the format is ours
	equal "$(jq -c "$(printf "$numbers" 2)" <<<"$output")" "$(jq -c "$(printf "$numbers" 1)" <<<"$before")"
	equal "$(jq -r '.tables[] | select(.table == "Frequency") | .frequency_mhz' <<<"$output")" 600
	rm "$JOB"/info.json.0
	expect 0 show -dir "$JOB" --frequency 600
	has "$output" "600.0 Mhz"
	lacks "$output" "800 MHz"
}

@test "rarer files: one record of each, decoded to the last byte" {
	made extra=1
	expect 0 check -dir "$JOB" --format csv --table files
	lacks "$output" "not understood"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT count(*) FROM source WHERE state = 'raw' AND records = 0")" 0
	equal "$(query 'SELECT name, request_id, infer_ns, infer_dur_ns FROM model_time')" "resnet|5|30|20"
	equal "$(query 'SELECT name, op_num, op1, op2, total_bytes FROM fusion_op')" "conv_relu|2|11|12|3584"
	equal "$(query 'SELECT * FROM id_map')" "7|1|9|0|1000000000000"
	equal "$(query 'SELECT task_type, stream_id FROM task_track')" "KERNEL_AICORE|3"
	equal "$(query 'SELECT name, dur_ns, task_num, task1_id, direction FROM runtime_api LIMIT 1')" "KernelLaunch|1500|1|1|1"
	equal "$(query 'SELECT stream_id, task_id, start_ns, dur_ns, total_us FROM aicpu_node')" "3|9|1000000100000|100000|900"
	equal "$(query 'SELECT action, source, queue_index, queue_size FROM data_queue')" "Last queue|iterator|3|4"
	equal "$(query 'SELECT event7, tx_p_avg, rx_cpl_avg, pmu13 FROM l2_cache, pcie, ts_cpu')" "7|2|20|13"
	equal "$(query 'SELECT count(*), max(stamp_us) FROM ddr')" "4|4000"
}

@test "single operators: an arrow from the call that launches a task to the task" {
	made extra=1 tasks=3
	expect 0 export timeline -dir "$JOB" -q
	has "$(cat "$JOB/timeline/msprof_0_1.json")" \
		'{"name":"connect","ph":"s","id":"3-1","pid":"2_77","tid":78,"ts":999999999.9}' \
		'{"name":"connect","ph":"s","id":"3-3","pid":"2_77"' \
		'{"name":"connect","ph":"f","id":"3-1","pid":"7_0","tid":3,"ts":1000000000.0,"bp":"e"}'
}

@test "show prints the tables of this generation" {
	made steps=2
	expect 0 show -dir "$JOB" --each
	has "$output" "AI Core Metrics :" "Model id : 1 Iteration : 2" "vec_ratio" "Op statistic :" "Acl statistic :" aclmdlExecute "300.0 Mhz"
	expect 0 show -dir "$JOB" --style guide --sort "Task ID" --top 1
	has "$output" "AA Core Metrics"
}

@test "an unknown type, format, task type or call type is printed as a number" {
	made steps=1 tasks=1
	python3 - "$JOB/data" <<-'END'
		import os, sys
		def put(name, offset, value):
		    with open(os.path.join(sys.argv[1], name), "r+b") as f:
		        f.seek(offset)
		        f.write(value.to_bytes(4, "little"))
		put("Framework.tensor_data_info.0.slice_0", 32, 200)
		put("Framework.tensor_data_info.0.slice_0", 36, 5)
		put("Framework.task_desc_info.0.slice_0", 4, 9)
		put("AclModule.acl_model.0.slice_0", 4, 77)
	END
	expect 0 export summary -dir "$JOB" -q
	equal "$(query 'SELECT task_type FROM tasks LIMIT 1')" 9
	equal "$(query 'SELECT input_shapes, input_types, input_formats FROM op_tensor LIMIT 1')" '"8,3"|5|200'
	lacks "$(cat "$JOB/summary/op_summary_0_1_1.csv")" ',9,1000000000000'
	has "$(line 2 acl_0_1_1.csv)" "aclmdlExecute,77,"
	expect 0 check -dir "$JOB"
	has "$output" "1 operators are of a task type that is not known" "1 tensors have a type or format that is not known"
}

@test "what was parsed is not parsed again" {
	made tasks=2
	expect 0 import -dir "$JOB"
	before=$(stat -c %i "$DB")
	expect 0 export summary -dir "$JOB"
	expect 0 show -dir "$JOB"
	equal "$(stat -c %i "$DB")" "$before"
	echo >>"$JOB/sample.json"
	expect 0 show -dir "$JOB"
	[ "$(stat -c %i "$DB")" != "$before" ]
}

@test "without iterations none can be chosen: a warning, and all is exported, whatever was asked for" {
	made tasks=3
	for choice in --model-id=9 --iteration-id=7 "--model-id=1 --iteration-id=2"; do
		# shellcheck disable=SC2086 # several words
		expect 0 export summary -dir "$JOB" $choice
		has "$stderr" "have no effect: this data has no iterations"
		[ -s "$JOB/summary/op_summary_0_1.csv" ]
		discard "$JOB/summary"
	done
	made tasks=6 steps=3
	expect 0 export summary -dir "$JOB" --iteration-id 2
	lacks "$stderr" "have no effect"
}

@test "--reports takes an object json_process of true and false, and nothing else" {
	made tasks=1
	echo '{"json_process":{"ascend":true,"freq":false}}' >"$BATS_TEST_TMPDIR/reports.json"
	expect 0 export timeline -dir "$JOB" --reports "$BATS_TEST_TMPDIR/reports.json"
	has "$stderr" "--reports has no effect: only the timeline of a PROF directory has layers"
	for text in '' '[]' '{}' '{"json_process":[false]}' '{"json_process":{"freq":0}}' '{"json_process":{"freq":false}'; do
		echo "$text" >"$BATS_TEST_TMPDIR/reports.json"
		expect 1 export timeline -dir "$JOB" --reports "$BATS_TEST_TMPDIR/reports.json"
		has "$stderr" reports.json
	done
	expect 1 export timeline -dir "$JOB" --reports "$BATS_TEST_TMPDIR/none.json"
	has "$stderr" none.json "No such file"
}

@test "training: iterations by their ends, FP and BP, and all-reduce on a track of its own" {
	made tasks=2 steps=1
	python3 - "$JOB/data/ts_track.data.0.slice_0" <<-'END'
		import struct, sys
		points = [(23999976, 1, 0), (24000000, 1, 2), (24001200, 1, 3), (24001300, 1, 10000), (24001540, 1, 10001), (24002640, 1, 4),
		          (24003000, 2, 2), (24004200, 2, 3), (24005280, 2, 4)]
		with open(sys.argv[1], "wb") as f:
		    for at, index, tag in points:
		        f.write(struct.pack("<BBHIQQQHHHH", 1, 10, 40, 0, at, index, 1, 3, 1, tag, 0))
	END
	rm "$JOB/data/ts_track.data.0.slice_0.done"
	expect 0 export summary -dir "$JOB" --iteration-id 2
	equal "$(line 2 step_trace_0_1_2.csv)" "1,24000000,24001200,24002640,111.0,50.0,60.0,N/A,1"
	equal "$(line 3 step_trace_0_1_2.csv)" "2,24003000,24004200,24005280,110.0,50.0,45.0,15.0,1"
	equal "$(line 2 op_summary_0_1_2.csv | cut -d, -f1-5)" "resnet,1,2,3,2"
	expect 0 export timeline -dir "$JOB" -q
	has "$(cat "$JOB/timeline/task_time_0_1_1.json")" '"name":"All Reduce 1","pid":2,"tid":0,"ts":1000000054.1666666,"dur":10.0'
	has "$(cat "$JOB/timeline/step_trace_0_1_1.json")" '"FP Start":1000000000.0,"BP End":1000000050.0,"Iteration End":1000000110.0'
}

@test "what no mark begins is no iteration: none can be chosen, without a choice the tasks are exported whole" {
	made tasks=2 steps=1
	python3 - "$JOB/data/ts_track.data.0.slice_0" <<-'END'
		import struct, sys
		with open(sys.argv[1], "wb") as f:
		    for at, index, tag in [(24000000, 1, 2), (24001200, 1, 3), (24002640, 1, 4), (24003000, 2, 2), (24005280, 2, 4)]:
		        f.write(struct.pack("<BBHIQQQHHHH", 1, 10, 40, 0, at, index, 1, 3, 1, tag, 0))
	END
	rm "$JOB/data/ts_track.data.0.slice_0.done"
	for kind in summary timeline; do
		expect 1 export "$kind" -dir "$JOB" --model-id 1 --iteration-id 2
		has "$stderr" "no iteration can be chosen: 5 marks of iterations, but none with a begin and an end"
		[ ! -e "$JOB/$kind" ] || equal "$(ls "$JOB/$kind")" ''
	done
	expect 0 export summary -dir "$JOB"
	equal "$(wc -l <"$JOB/summary/op_summary_0_1.csv")" 3
	equal "$(query "SELECT text FROM note WHERE kind = 'odd'")" "2 iterations have no mark of their begin or end: they are left out"
}

@test "several models at a time, operators and tensors said many times, all-reduce: each finds its own" {
	made tasks=4 steps=2
	python3 - "$JOB/data" <<'END'
import os, struct, sys
def again(name, edit):
    path = os.path.join(sys.argv[1], name)
    with open(path, "rb") as f:
        whole = f.read()
    with open(path, "wb") as f:
        f.write(edit(whole))
    os.remove(path + ".done")
    open(path + ".done", "w").close()
point = lambda counter, index, model, tag: struct.pack("<BBHIQQQHHHH", 1, 10, 40, 0, counter, index, model, 3, 1, tag, 0)
# model 2 ends an iteration just after each task, and has no tasks; model 1 reduces twice
track = b"".join(point(24000000 + 2640 * i + 2401 * (tag > 0), i + 1, 2, tag) for i in range(4) for tag in (0, 1))
track += point(24000100, 1, 1, 10000) + point(24000300, 1, 1, 10001) + point(24000400, 1, 1, 10002) + point(24000900, 1, 2, 10003)
again("ts_track.data.0.slice_0", lambda b: b + track)
again("Framework.task_desc_info.0.slice_0", lambda b: b * 2)
again("Framework.tensor_data_info.0.slice_0", lambda b: b * 30)
END
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT DISTINCT model_id FROM task JOIN step ON step.id = step_id')" 1
	equal "$(query 'SELECT group_concat(op_id) FROM (SELECT op_id FROM task ORDER BY id)')" 1,2,3,4
	equal "$(query "SELECT count(*), max(length(input_types) - length(replace(input_types, ';', ''))) FROM op_tensor")" "8|19"
	equal "$(query 'SELECT count(*) FROM tensor')" 120
	equal "$(query 'SELECT number, start_counter, end_counter FROM all_reduce')" $'1|24000100|24000300\n2|24000400|'
}

# Times of the core are rounded to ns before the times of its pipes follow from them. The second task runs on the AI CPU.
@test "several blocks, a process, and what the AI CPU recorded" {
	made tasks=3 block=3 cycles=10000 pmu=3333,0,0,0,0,0,0,0 metrics=PipeUtilization
	python3 - "$JOB" <<-'END'
		import json, struct, sys
		with open(sys.argv[1] + "/info.json.0", "r+") as f:
		    info = json.loads(f.read())
		    info["pid"] = "77"
		    f.seek(0)
		    f.truncate()
		    f.write(json.dumps(info))
		with open(sys.argv[1] + "/data/Framework.task_desc_info.0.slice_0", "r+b") as f:
		    f.seek(256 + 4)
		    f.write((1).to_bytes(4, "little"))
		with open(sys.argv[1] + "/data/DATA_PREPROCESS.AICPU.0.slice_0", "wb") as f:
		    f.write(struct.pack("<HHHHQQQQQQQIIQQQQIIIHBBQ", 0x5A5A, 60, 3, 2, 50, 24002640, 51, 55, 59, 62, 24005040, 1, 0, 0, 0, 0, 0, 0, 30, 140, 0, 2, 0, 0))
	END
	rm -f "$JOB"/data/Framework.task_desc_info.0.slice_0.done
	expect 0 export summary -dir "$JOB" -q
	expect 0 export timeline -dir "$JOB" -q
	has "$(grep Op_0 "$JOB/summary/op_summary_0_1.csv")" ",33.333,10000,11.11,0.3333,"
	dur=$(python3 -c 'h = 1e12 / 1e9 * 1e3; print((5040 / 24e6 * 1e3 + h) - (2640 / 24e6 * 1e3 + h))')
	equal "$(line 2 aicpu_0_1.csv)" "1000000.11,net/Op_1,0.004,0.004,$dur,0.03,0.14"
	equal "$(grep -c AI_CPU "$JOB/summary/op_summary_0_1.csv")" 1
	has "$(cat "$JOB/timeline/task_time_0_1.json")" '"name":"AI CPU"' '"Task Type":"AI_CPU"' '"Compute Time(us)":4.0'
	has "$(cat "$JOB/timeline/thread_group_0_1.json")" '"pid":77'
	has "$(cat "$JOB/timeline/ai_stack_time_0_1.json")" '"pid":77'
	equal "$(query 'SELECT count(*) FROM tasks')" 3
	# chip 0 exports nothing else, and no counters
	sed -i 's/"platform_version": "1"/"platform_version": "0"/' "$JOB/info.json.0"
	discard "$JOB/summary" "$JOB/timeline"
	expect 0 export summary -dir "$JOB" -q
	expect 0 export timeline -dir "$JOB" -q
	equal "$(wc -l <"$JOB/summary/op_summary_0_1.csv")" 2
	lacks "$(line 1 op_summary_0_1.csv)" total_cycles vec_ratio
	lacks "$(cat "$JOB/timeline/ai_stack_time_0_1.json")" net/Op_1
	has "$(cat "$JOB/timeline/task_time_0_1.json")" net/Op_1
}

@test "in each iteration tasks of the AI CPU have their operators, whatever their batch" {
	made tasks=6 steps=2
	python3 - "$JOB/data" <<-'END'
		import struct, sys
		with open(sys.argv[1] + "/DATA_PREPROCESS.AICPU.0.slice_0", "wb") as nodes, open(sys.argv[1] + "/Framework.task_desc_info.0.slice_0", "r+b") as ops:
		    for row in (4, 4):
		        start = 24000000 + 2640 * row
		        nodes.write(struct.pack("<HHHHQQQQQQQIIQQQQIIIHBBQ", 0x5A5A, 60, 3, row + 1, 50, start, 51, 55, 59, 62, start + 2400, 1, 0, 0, 0, 0, 0, 0, 30, 140, 0, 2, 0, 0))
		        ops.seek(256 * row + 4)
		        ops.write((1).to_bytes(4, "little"))
	END
	rm -f "$JOB"/data/Framework.task_desc_info.0.slice_0.done
	expect 0 export summary -dir "$JOB" --iteration-id 2 -q
	equal "$(grep -c ,AI_CPU, "$JOB/summary/op_summary_0_1_2.csv")" 2
}

@test "chips whose tasks are in no export: each export warns how many, and show has them" {
	made tasks=3 chip=0
	for kind in summary timeline; do
		expect 0 export $kind -dir "$JOB" -q
		has "$stderr" "warning: '$JOB': 3 of 3 tasks are in no export, as on a chip mini no task of the scheduler is; show has them"
	done
	[ ! -e "$JOB/summary/op_summary_0_1.csv" ]
	expect 0 check "$JOB"
	has "$output" "3 of 3 tasks are in no export, as on a chip mini no task of the scheduler is; show has them"
	expect 0 show "$JOB"
	has "$output" net/Op_0 net/Op_2
	lacks "$stderr" "in no export"
	made tasks=3 chip=1
	expect 0 export summary -dir "$JOB" -q
	lacks "$stderr" "in no export"
	expect 0 check "$JOB"
	lacks "$output" "in no export"
}
