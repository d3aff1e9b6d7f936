#!/usr/bin/env bats
# prof_rows.bats: PROF directories: which rows and words the tables of operators and iterations have.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

@test "an operator of an aging file is dynamic; its blocks are numbers of their own; without blocks its core takes no time" {
	dd if="$HOST/unaging.compact.node_basic_info.slice_0" of="$HOST/aging.compact.node_basic_info.slice_0" bs=64 skip=37 status=none
	truncate -s $((64 * 37)) "$HOST/unaging.compact.node_basic_info.slice_0"
	rm "$HOST"/unaging.compact.node_basic_info.slice_0.done
	printf '\024\000\002\000' | dd of="$HOST/aging.compact.node_basic_info.slice_0" bs=1 seek=$((64 * 1 + 44)) conv=notrunc status=none
	printf '\000\000\000\000' | dd of="$HOST/aging.compact.node_basic_info.slice_0" bs=1 seek=$((64 * 2 + 44)) conv=notrunc status=none
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(query 'SELECT op_state, count(*) FROM task GROUP BY 1')" $'0|37\n1|3'
	equal "$(rows op_summary | cut -d, -f7,12,13 | tail -4)" $'static,24,0\ndynamic,24,0\ndynamic,20,40\ndynamic,0,0'
	equal "$(query 'SELECT aic_us FROM task ORDER BY id DESC LIMIT 1')" 0.0
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT value, count(*) FROM COMPUTE_TASK_INFO JOIN STRING_IDS ON id = opState GROUP BY 1')" $'dynamic|3\nstatic|37'
}

@test "the shape of a tensor ends at its first 0" {
	record prof.tensor_info "$HOST/unaging.additional.tensor_info.slice_0" <<-END
		level=10000 thread_id=4242 stamp=$(host 1004) op_name=8000000000000000001 tensor_num=2 tensors=u32:0,2,0,0,5,0,0,0,0,0,0,1,2,0,7,0,9
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT input_shapes, output_shapes FROM tensor')" '""|"7"'
}

# tags N:TAG ...: step tags of model 1 at N us after the beginning, in the order of time
tags() {
	local at

	for at; do echo "counter=$(device "${at%:*}") index_id=9 model_id=1 tag_id=${at#*:}"; done | record prof.ts_step "$DEVICE/ts_track.data.0.slice_0"
}

@test "tag 0 begins an iteration, 1 ends it, 4 ends it and begins the next; what was not recorded is 0" {
	tags 3000:4 3010:4 3100:0 3105:0 3110:2 3120:3 3150:4 3160:2 3170:4 3180:1 3200:4 3300:0 3340:1 3350:3
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	equal "$(rows step_trace | tr -d '\t')" "0,1,1700000000003110.000,1700000000003120.000,1700000000003150.000,50.000,10.000,30.000,0.000,1
0,2,1700000000003160.000,0.000,1700000000003170.000,20.000,0.000,0.000,10.000,1
0,3,0.000,0.000,1700000000003340.000,40.000,0.000,0.000,0.000,1"
	equal "$(jq -c '.[] | select(.ph == "X") | [.name, .tid, .ts, .dur, .args["FP Start"]]' "$PROF"/mindstudio_profiler_output/step_trace_*.json)" \
		'["Iteration 1",70001,"1700000000003100.000",50,"1700000000003110.000"]
["Iteration 2",70001,"1700000000003150.000",20,"1700000000003160.000"]
["Iteration 3",70001,"1700000000003300.000",40,"N/A"]
["FP_BP Time 1",70001,"1700000000003110.000",10,"1700000000003110.000"]
["Iteration Refresh 1",70001,"1700000000003120.000",30,null]'
	equal "$(jq '[.[] | select(.cat == "Data_aug Bound")] | length' "$PROF"/mindstudio_profiler_output/step_trace_*.json)" 2
	equal "$(jq '[.[] | select(.tid >= 70000)] | length' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" 9
}

@test "marks of FP and BP before an iteration begins are not its own" {
	tags 3000:2 3005:3 3010:0 3040:1 3050:2 3055:3 3060:0 3070:2 3080:3 3090:1
	expect 0 export summary -dir "$PROF"
	equal "$(rows step_trace | tr -d '\t' | cut -d, -f2-5)" $'1,0.000,0.000,1700000000003040.000\n2,1700000000003070.000,1700000000003080.000,1700000000003090.000'
}

@test "tags from 20000 on are waits for data: a pair of a stream within an iteration" {
	# of the second iteration nothing ends; 60000 is a step of the program
	tags 3100:0 3110:20000 3115:20001 3120:20003 3130:59999 3140:4 3150:20002 3160:4 3165:20003 3170:60000
	expect 0 export timeline -dir "$PROF"
	equal "$(jq -c '.[] | select(.cat == "GetNext Time") | [.name, .tid, .ts, .dur, .args["GetNext End"]]' "$PROF"/mindstudio_profiler_output/step_trace_*.json)" '["GetNext",70001,"1700000000003110.000",20,"1700000000003130.000"]'
	equal "$(jq '[.[] | select(.name == "GetNext")] | length' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" 1
	# on older chips the next number ends it
	sed -i 's/"platform_version":"5"/"platform_version":"1"/' "$DEVICE/../info.json.0"
	discard "$PROF/sqlite"
	discard "$PROF/mindstudio_profiler_output"
	expect 3 export timeline -dir "$PROF" # whose files of stars nobody reads
	equal "$(jq -c '.[] | select(.name == "GetNext") | [.ts, .dur]' "$PROF"/mindstudio_profiler_output/step_trace_*.json)" '["1700000000003110.000",5]'
}

@test "a model whose iterations nothing began has none" {
	tags 3110:2 3120:3 3150:4 3160:2 3170:4
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	equal "$(find "$PROF/mindstudio_profiler_output" -name '*step_trace*')" ''
}

# launch TASK TYPE KERNEL AT [THREAD]: a task of stream 60, launched AT us, that runs from AT + 5000 us on for 2 us
launch() {
	record prof.task_track "$HOST/aging.compact.task_track.slice_0" <<<"level=5000 type=802 thread_id=${5:-900} data_len=24 stamp=$(host "$4") stream_id=60 task_id=$1 task_type=$2 kernel_name=$3"
	printf 'end=0 stream_id=60 task_id=%s counter=%s task_type=11\nend=1 stream_id=60 task_id=%s counter=%s\n' "$1" "$(device $(($4 + 5000)))" "$1" "$(device $(($4 + 5002)))" |
		record prof.acsq "$DEVICE/stars_soc.data.0.slice_1"
}

# The calls of thread 900: one of acl, from 3000 to 3100 us, and a node in it, from 3050 us.
calls() {
	printf '5000_700:KERNEL_AIVEC\n5000_701:MEMCPY_ASYNC\n5000_702:KERNEL_MIX_AIC\n5000_703:FFTS_PLUS\n20000_7:aclrtRecordEvent\n5000_704:EVENT_RECORD\n' >"$HOST/aging.additional.type_info_dic.slice_0"
	record prof.api "$HOST/aging.api_event.data.slice_0" <<-END
		level=20000 type=7 thread_id=900 begin=$(host 3000) end=$(host 3100)
		level=10000 type=5 thread_id=900 begin=$(host 3050) end=$(host 3090) item_id=8000000000000000009
	END
}

@test "operators are described nodes that compute, and kernels without a node; other tasks are no rows of op_summary" {
	calls
	launch 1 700 8000000000000000001 3010 # a kernel without a node
	launch 2 701 0 3020 # a copy
	launch 3 702 8000000000000000002 3030 # of context 0 alone, which did not run
	launch 4 700 8000000000000000003 3060 # in a node that nobody described
	launch 5 703 0 3040 # what the device says counts
	launch 6 704 0 3045
	launch 7 704 0 4000 # in no call
	expect 0 export summary -dir "$PROF"
	equal "$(query 'SELECT task_id, context_id, is_op, start_ns IS NOT NULL, connection_id - (SELECT max(connection_id) FROM api) FROM task WHERE stream_id = 60 ORDER BY task_id, id')" \
		$'1|4294967295|1|1|-1\n2|4294967295||1|-1\n3|4294967295||1|\n3|0|1|0|-1\n4|4294967295||1|0\n5|4294967295||1|-1\n6|4294967295||1|-1\n7|4294967295||1|'
	equal "$(rows op_summary | cut -d, -f3-9,11 | tail -1 | tr -d '\t')" "1,60,layer0:Op0,layer0:Op0,N/A,AI_VECTOR_CORE,1700000000008010.000,5770.200000"
	equal "$(rows op_summary | wc -l)" 41
	equal "$(rows task_time | grep ,60, | cut -d, -f2-5)" $'layer0:Op0,AI_VECTOR_CORE,60,1\nN/A,MEMCPY_ASYNC,60,2\nN/A,SDMA_SQE,60,3\nN/A,SDMA_SQE,60,5\nN/A,EVENT_RECORD,60,6\nlayer2:Op2,KERNEL_AIVEC,60,4\nN/A,EVENT_RECORD,60,7'
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT taskId, connectionId = -1, connectionId = 0 FROM TASK WHERE streamId = 60 ORDER BY taskId')" $'1|0|0\n2|0|0\n3|1|0\n4|0|0\n5|0|0\n6|0|0\n7|0|1'
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT count(*), count(*) FILTER (WHERE globalTaskId NOT IN (SELECT globalTaskId FROM TASK)) FROM COMPUTE_TASK_INFO')" "42|1"
	# free from the first to the last task: what computes bounds nothing
	equal "$(query 'SELECT kind, (start_ns - 1000000000000) / 1000, (end_ns - 1000000000000) / 1000, free_ns FROM overlap ORDER BY start_ns DESC LIMIT 2')" \
		$'3|8012|9002|\n0|8010|8012|'
	expect 0 export timeline -dir "$PROF"
	trace=$(echo "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)
	equal "$(jq -r '.[] | select(.tid == 60 and .ph == "f") | .ts' "$trace" | sort)" $'1700000000008010.000\n1700000000008020.000\n1700000000008040.000\n1700000000008045.000'
	equal "$(jq -r '.[] | select(.tid == 900 and .ph == "s") | .ts' "$trace" | sort)" $'1700000000003000.000\n1700000000003050.000'
	equal "$(jq -c '.[] | select(.name == "MEMCPY_ASYNC") | [.args["Task Type"], .args.operation]' "$trace")" '["SDMA_SQE",null]'
}

@test "level 0: operators are called by their calls, and say nothing else" {
	calls
	launch 4 700 8000000000000000003 3060
	rm "$HOST"/unaging.compact.node_basic_info*
	echo '{"profLevel":"l0"}' >"$PROF/host/sample.json"
	expect 0 export summary -dir "$PROF"
	equal "$(rows op_summary | cut -d, -f3-8 | tail -1)" "4,60,layer8:Op8,N/A,N/A,N/A"
	equal "$(rows op_summary | wc -l)" 41
	equal "$(find "$PROF/mindstudio_profiler_output" -name '*op_statistic*')" ''
}

@test "level 0: what is said of an operator counts for nothing, neither blocks, nor tensors, nor attributes" {
	record prof.node_basic_info "$HOST/aging.compact.node_basic_info.slice_0" <<<"level=10000 thread_id=4243 data_len=40 stamp=$(host 1023) op_name=8000000000000000008 op_type=17000000000000000008 block_num=4 mix_num=2 task_type=4"
	record prof.context_id_info "$HOST/unaging.additional.context_id_info.slice_0" <<<"level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000008 context_num=1 contexts=u32:0"
	printf 'end=0 stream_id=3 task_id=0 context_id=0 subtask_type=7 counter=%s\nend=1 stream_id=3 task_id=0 context_id=0 subtask_type=7 counter=%s\n' "$(device 2018)" "$(device 2023)" |
		record prof.ffts_log "$DEVICE/stars_soc.data.0.slice_1"
	record prof.task_pmu "$DEVICE/ffts_profile.data.0.slice_1" <<<"stream_id=5 task_id=0 ffts_type=1 total_cycles=900 begin=$(device 2030) end=$(device 2033)"
	record prof.tensor_info "$HOST/unaging.additional.tensor_info.slice_0" <<<"level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000008 tensor_num=1 tensors=u32:0,2,1,5,3"
	record prof.node_attr_info "$HOST/unaging.compact.node_attr_info.slice_0" <<<"level=10000 thread_id=4242 stamp=$(host 1027) op_name=1 attr=8000000000000000009"
	said="SELECT count(block_num) > 0, count(mix_num) > 0, count(tensor_id) > 0, count(aiv_cycles) > 0, max(aiv_us) > 0 FROM task"
	expect 0 import -dir "$PROF"
	equal "$(query "$said")" "1|1|1|1|1"
	echo '{"profLevel":"l0"}' >"$PROF/host/sample.json"
	expect 0 import -dir "$PROF"
	equal "$(query "$said")" "0|0|0|1|0"
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT DISTINCT value FROM COMPUTE_TASK_INFO JOIN STRING_IDS ON id = attrInfo')" ''
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT count(*) FROM COMPUTE_TASK_INFO')" 40
}

@test "export db: words of operators and counters are strings only where operators and counters are" {
	words="SELECT value FROM STRING_IDS WHERE value IN ('', 'N/A', 'static', 'dynamic', 'YES', 'NO') OR value GLOB '*total_cycles' ORDER BY 1"
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db "$words")" $'\nN/A\nNO\naic_total_cycles\naiv_total_cycles\nstatic'
	rm "$HOST"/unaging.compact.task_track* "$DEVICE"/ffts_profile* "$PROF"/msprof_*.db
	expect 0 import -dir "$PROF"
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db "$words")" ''
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT count(*) FROM TASK')" 40
}

@test "pairs of events are calls, in the order of start; of calls that begin together the outer is first" {
	record prof.api_event "$HOST/unaging.api_event.data.slice_0" <<-END
		level=15000 type=3 thread_id=900 request_id=1 stamp=$(host 1500) item_id=5
		level=15000 type=3 thread_id=900 request_id=2 stamp=$(host 1510) item_id=5
		level=15000 type=3 thread_id=900 request_id=1 stamp=$(host 1520) item_id=5
	END
	record prof.api "$HOST/aging.api_event.data.slice_0" <<-END
		level=10000 type=5 thread_id=900 begin=$(host 1502) end=$(host 1504)
		level=10000 type=5 thread_id=900 begin=$(host 1502) end=$(host 1510)
	END
	launch 1 0 8000000000000000003 1503
	launch 2 0 8000000000000000003 1506
	expect 0 export summary -dir "$PROF"
	has "$(rows api_statistic)" "host,model,3,20,1,20,20,20,0"
	equal "$(query 'SELECT t.task_id, a.dur_ns, t.model_id FROM task t JOIN api a USING (connection_id) WHERE stream_id = 60 ORDER BY 1')" $'1|2000|5\n2|8000|5'
}

@test "the counters of blocks are those of the other cores of a MIX task, in rounds of both kinds of blocks" {
	record prof.node_basic_info "$HOST/unaging.compact.node_basic_info.slice_0" <<<"level=10000 thread_id=4243 data_len=40 stamp=$(host 1023) op_name=8000000000000000008 op_type=17000000000000000008 block_num=4 mix_num=2 task_type=4"
	record prof.context_id_info "$HOST/unaging.additional.context_id_info.slice_0" <<<"level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000008 context_num=1 contexts=u32:0"
	printf 'end=0 stream_id=3 task_id=0 context_id=0 subtask_type=6 counter=%s\nend=1 stream_id=3 task_id=0 context_id=0 subtask_type=6 counter=%s\n' "$(device 2018)" "$(device 2023)" |
		record prof.ffts_log "$DEVICE/stars_soc.data.0.slice_1"
	record prof.task_pmu "$DEVICE/ffts_profile.data.0.slice_1" <<<"stream_id=3 task_id=0 context_id=0 subtask_type=6 ffts_type=4 total_cycles=1000 begin=$(device 2018) end=$(device 2023)"
	for core in 0 1 1 1; do
		echo "stream_id=3 task_id=0 context_id=0 subtask_type=6 core_type=$core ffts_type=4 total_cycles=500 pmu0=7 begin=$(device 2019) end=$(device 2020)"
	done | record prof.block_pmu "$DEVICE/ffts_profile.data.0.slice_2"
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT block_num, mix_num, aic_cycles, aiv_cycles, aiv_pmu0 FROM task WHERE context_id = 0')" "4|8|1000|1500|21"
	equal "$(query "SELECT aiv_us = core_us.us FROM task, (SELECT 1500.0 / frequency_mhz / 8 AS us FROM task WHERE context_id = 0) core_us WHERE context_id = 0")" 1
}

@test "times of HBM, caches and memory are doubles that are added up; of other samples they are exact" {
	for info in "$PROF"/host/start_info "$PROF"/device_0/start_info.0; do
		echo '{"collectionTimeBegin":"1700000000123457","clockMonotonicRaw":"1000000000333"}' >"$info"
	done
	sed -i 's/{/{"llc_profiling":"read","hbm_profiling_events":"read,write",/' "$PROF/device_0/sample.json"
	record prof.npu_mem "$DEVICE/npu_mem.data.0.slice_0" <<<"event=1 stamp_us=1030 ddr_bytes=2048 hbm_bytes=1024"
	for stamp in 1020 1030; do printf "stamp_us=$stamp type=%d hbm_id=%d count=$stamp\n" 0 0 0 1 0 2 0 3 1 0 1 1 1 2 1 3; done | record prof.hbm "$DEVICE/hbm.data.0.slice_0"
	for stamp in 1020 1030; do printf "stamp_us=$stamp event=%d count=$stamp\n" 0 1 2 19 32 34 52 54; done | record prof.llc "$DEVICE/llc.data.0.slice_0"
	record prof.pcie "$DEVICE/pcie.data.0.slice_0" <<<"stamp=1000001030000 tx_p_min=1 tx_p_max=3"
	record prof.task_memory_info "$HOST/unaging.additional.task_memory_info.slice_0" <<<"level=10000 thread_id=4242 stamp=$(host 2000) address=4096 size=512 operator=8000000000000000001"
	expect 0 export db -dir "$PROF"
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	# the host's clock read 10^12 ns when the device's began
	rounded=$(python3 -c 'print(int((1030 * 1000 + 1000.0 * 10**9) + (1700000000123457.0 - 1000000000333 / 1000) * 1000))')
	exact=$((1700000000123457 * 1000 - 1000000000333 + 1000000000000 + 1030000))
	[ "$rounded" != "$exact" ]
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT max(timestampNs) FROM NPU_MEM; SELECT max(timestampNs) FROM HBM; SELECT max(timestampNs) FROM LLC; SELECT timestampNs FROM PCIE')" \
		"$rounded"$'\n'"$rounded"$'\n'"$rounded"$'\n'"$exact"
	us=${rounded%???}.${rounded: -3}
	# some reports have the offset as Python writes the double: 1699999000123456.667 us are 1699999000123456.8
	offset=$(python3 -c 'print(1700000000123457.0 - 1000000000333 / 1000)')
	[ "$offset" = 1699999000123456.8 ]
	equal "$(rows operator_memory | cut -d, -f4 | tr -d '\t')" 1700000000125456.800
	equal "$(rows npu_mem | cut -d, -f6 | tr -d '\t')" "$us"
	equal "$(jq -r '.[] | select(.ph == "C") | select(.name | test("^(HBM|LLC|Device)")) | .name[:3] + " " + .ts' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | grep -c "$us")" 13
}

@test "memory of operators of a static graph: names, the total, and nodes to the end" {
	record prof.static_op_mem "$HOST/unaging.additional.static_op_mem.slice_0" <<-END
		level=10000 size=1000000 last_node=4294967294 model=8000000000000000003 graph_id=1
		level=10000 size=1536 operator=8000000000000000001 first_node=2 last_node=5 model=8000000000000000003 graph_id=1
		level=10000 size=2048 operator=77 first_node=7 last_node=8 graph_id=2
	END
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(cat "$PROF"/mindstudio_profiler_output/static_op_mem_*.csv)" "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)
host,TOTAL,layer2:Op2,1,0,4294967295,976.5625
host,layer0:Op0,layer2:Op2,1,2,5,1.5
host,77,0,2,7,8,2"
}

@test "tasks that began together stand in task_time as two sorts and a hash table of the reference leave them" {
	cd "$BATS_TEST_TMPDIR"
	rm "$DEVICE"/ffts_profile* "$DEVICE"/stars_soc* "$HOST"/*task_track*
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_0" <<-END
		end=0 stream_id=3 task_id=3 counter=$(device 2000)
		end=0 stream_id=22 task_id=6 counter=$(device 2000)
		end=1 stream_id=3 task_id=3 counter=$(device 2004)
		end=1 stream_id=22 task_id=6 counter=$(device 2005)
	END
	expect 0 export summary -dir "$PROF"
	# two places: 3 ^ 3 << 1 = 5 lies in place 1, 22 ^ 6 << 1 = 26 in place 0, and what comes later stands first
	equal "$(rows task_time | cut -d, -f4,5)" $'22,6\n3,3'
	equal "$(query 'SELECT stream_id, place FROM tied_task JOIN task USING (id) ORDER BY place')" $'22|1\n3|2'
}
