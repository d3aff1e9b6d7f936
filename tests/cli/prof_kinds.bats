#!/usr/bin/env bats
# prof_kinds.bats: PROF directories: rare kinds of records, joined with tasks.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

@test "a task that was launched once and runs often bears its name each time" {
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=0 task_id=0 counter=$(device 5000)
		end=1 stream_id=0 task_id=0 counter=$(device 5004)
	END
	record prof.task_pmu "$DEVICE/ffts_profile.data.0.slice_1" <<<"stream_id=0 task_id=0 total_cycles=7400 begin=$(device 5000) end=$(device 5004)"
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT name, connection_id, start_ns, aic_us FROM tasks JOIN task USING (id, connection_id, start_ns) WHERE task.stream_id = 0 AND task.task_id = 0')" \
		"layer0:Op0|2|1000002000000|$(query 'SELECT aic_us FROM task WHERE id = 1')"$'\nlayer0:Op0|2|1000005000000|0.166666666666667'
	equal "$(query "SELECT text FROM note WHERE text LIKE '%no task_track%'")" ""
	# launched twice, run three times: the launch of the third run is unknown, and which of two launches of one time was first
	record prof.task_track "$HOST/unaging.compact.task_track.slice_0" <<<"level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1003) stream_id=0 task_id=0"
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=0 task_id=0 counter=$(device 6000)
		end=1 stream_id=0 task_id=0 counter=$(device 6004)
	END
	expect 3 import -dir "$PROF"
	equal "$(query 'SELECT count(*), count(launch_ns) FROM task WHERE stream_id = 0 AND task_id = 0')" "3|2"
	has "$(query 'SELECT text FROM note')" "1 task ran that no task_track launched"
	expect 3 export summary -dir "$PROF"
	has "$(rows task_time)" $'\n0,N/A,AI_CORE,0,0,4'
	expect 3 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT value FROM TASK JOIN STRING_IDS ON id = taskType WHERE connectionId = -1')" AI_CORE
}

@test "sub-tasks of FFTS+ bear the names of their contexts" {
	record prof.ffts_log "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=3 task_id=0 context_id=5 subtask_type=6 counter=$(device 2019)
		end=1 stream_id=3 task_id=0 context_id=5 subtask_type=6 counter=$(device 2020)
		end=0 stream_id=3 task_id=0 context_id=9 subtask_type=1 counter=$(device 2020)
		end=1 stream_id=3 task_id=0 context_id=9 subtask_type=1 counter=$(device 2021)
		end=0 stream_id=3 task_id=0 context_id=11 subtask_type=8 counter=$(device 2021)
		end=1 stream_id=3 task_id=0 context_id=11 subtask_type=8 counter=$(device 2022)
		end=0 stream_id=3 task_id=0 context_id=12 subtask_type=8 counter=$(device 2021)
		end=1 stream_id=3 task_id=0 context_id=12 subtask_type=8 counter=$(device 2022)
	END
	# two nodes in the call of task 3: its own (layer3), and another (layer7)
	record prof.node_basic_info "$HOST/unaging.compact.node_basic_info.slice_0" <<-END
		level=10000 thread_id=4243 data_len=40 stamp=$(host 1023) op_name=8000000000000000008 op_type=17000000000000000008 block_num=4 task_type=5
	END
	record prof.tensor_info "$HOST/unaging.additional.tensor_info.slice_0" <<-END
		level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000008 tensor_num=1 tensors=u32:0,2,0,7,7
		level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000004 tensor_num=1 tensors=u32:0,2,0,3
		level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000008 tensor_num=1 tensors=u32:0,2,0,5
	END
	record prof.context_id_info "$HOST/unaging.additional.context_id_info.slice_0" <<-END
		level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000004 context_num=2 contexts=u32:5,6,7
		level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000008 context_num=3 contexts=u32:8,9,11
	END
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT t.context_id, name, type, task_type, t.block_num, t.connection_id FROM tasks JOIN task t USING (id) WHERE t.stream_id = 3 AND t.task_id = 0 ORDER BY id')" \
		$'4294967295|layer3:Op3|Op3|AI_CORE|24|11\n5|layer3:Op3|Op3|AI_CORE||\n9|layer7:Op7|Op7|MIX_AIV|4|11\n11|layer7:Op7|Op7|MIX_AIV|4|11\n12|||SDMA||'
	equal "$(query 'SELECT context_id, is_op, has_parts FROM task WHERE stream_id = 3 AND task_id = 0 ORDER BY id')" $'4294967295||1\n5||\n9|1|\n11|1|\n12||'
	equal "$(query 'SELECT context_id, input_shapes FROM task t JOIN tensor n ON n.id = tensor_id ORDER BY t.id')" \
		$'4294967295|"3"\n9|"7,7;5"\n11|"7,7;5"'
	expect 0 export summary -dir "$PROF"
	has "$(rows op_summary)" 'layer7:Op7,Op7,static,MIX_AIV'
	equal "$(rows op_summary | cut -d, -f3,4 | grep -c '^0,3$')" 2
	equal "$(rows task_time | cut -d, -f4,5 | grep -c '^3,0$')" 0
	# a launch whose sub-tasks ran did run, where the host named them
	record prof.context_id_info "$HOST/unaging.additional.context_id_info.slice_0" <<<"level=10000 thread_id=4242 stamp=$(host 1003) op_name=8000000000000000001 context_num=2 contexts=u32:2,3"
	record prof.ffts_log "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=6 task_id=77 context_id=2 subtask_type=6 counter=$(device 2319)
		end=1 stream_id=6 task_id=77 context_id=2 subtask_type=6 counter=$(device 2320)
		end=0 stream_id=6 task_id=77 context_id=3 subtask_type=6 counter=$(device 2320)
		end=1 stream_id=6 task_id=77 context_id=3 subtask_type=6 counter=$(device 2321)
	END
	record prof.task_track "$HOST/unaging.compact.task_track.slice_0" <<<"level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1003) stream_id=6 task_id=77"
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT context_id, connection_id FROM task WHERE task_id = 77 ORDER BY id')" $'2|2\n3|2'
}

@test "threads that work for a call are in it; nodes have attributes; the device says how many blocks" {
	# thread 99 launches during the call of task 4 (1024.5 to 1029 us), and after it
	record prof.multi_thread "$HOST/unaging.additional.Multi_Thread.slice_0" <<<"level=10000 thread_id=4242 stamp=$(host 1026) thread_num=2 threads=u32:98,99,97"
	record prof.task_track "$HOST/unaging.compact.task_track.slice_0" <<-END
		level=5000 type=802 thread_id=99 data_len=24 stamp=$(host 1028) stream_id=9 task_id=1
		level=5000 type=802 thread_id=99 data_len=24 stamp=$(host 1040) stream_id=9 task_id=2
		level=5000 type=802 thread_id=97 data_len=24 stamp=$(host 1028) stream_id=9 task_id=3
	END
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=9 task_id=1 counter=$(device 2500)
		end=1 stream_id=9 task_id=1 counter=$(device 2501)
		end=0 stream_id=9 task_id=2 counter=$(device 2502)
		end=1 stream_id=9 task_id=2 counter=$(device 2503)
	END
	record prof.ts_block_num "$DEVICE/ts_track.data.0.slice_0" <<-END
		counter=$(device 2500) stream_id=9 task_id=2 block_num=12
		counter=$(device 2500) stream_id=9 task_id=1 block_num=13
	END
	record prof.node_attr_info "$HOST/unaging.compact.node_attr_info.slice_0" <<<"level=10000 thread_id=4242 stamp=$(host 1027) op_name=1 attr=8000000000000000009"
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT t.task_id, name, t.connection_id, t.block_num FROM tasks JOIN task t USING (id) WHERE t.stream_id = 9 ORDER BY t.task_id')" \
		$'1|layer4:Op4|14|24\n2|||12\n3|||'
	equal "$(query 'SELECT a.connection_id, name FROM node_attr a JOIN name ON hash = attr')" "14|layer8:Op8"
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT DISTINCT value FROM COMPUTE_TASK_INFO JOIN STRING_IDS ON id = attrInfo ORDER BY 1')" $'\nlayer8:Op8'
}

@test "models: of the call, or the pair of events, around a launch or fused operator; of captured streams from then on" {
	record prof.api "$HOST/aging.api_event.data.slice_0" <<<"level=15000 type=1 thread_id=4242 begin=$(host 999) end=$(host 1012) item_id=31"
	record prof.api_event "$HOST/aging.api_event.data.slice_0" <<-END
		level=15000 type=2 thread_id=4243 request_id=1 stamp=$(host 1030) item_id=32
		level=15000 type=2 thread_id=4243 request_id=1 stamp=$(host 1043) item_id=32
	END
	record prof.capture_stream_info "$HOST/unaging.compact.capture_stream_info.slice_0" <<-END
		level=5000 thread_id=4242 stamp=$(host 1100) model_stream_id=4 original_stream_id=6 model_id=33 device_id=0
		level=5000 thread_id=4242 stamp=$(host 1150) model_stream_id=4 original_stream_id=6 model_id=34 device_id=0
		level=5000 thread_id=4242 stamp=$(host 1100) model_stream_id=4 original_stream_id=6 model_id=35 device_id=1
	END
	record prof.fusion_op_info "$HOST/unaging.additional.fusion_op_info.slice_0" <<-END
		level=10000 thread_id=4242 stamp=$(host 1001) fusion_name=8000000000000000001 op_num=1 ops=u64:8000000000000000002
		level=10000 thread_id=4242 stamp=$(host 1020) fusion_name=8000000000000000003
	END
	record prof.graph_id_map "$HOST/unaging.additional.graph_id_map.slice_0" <<-END
		level=15000 thread_id=4242 stamp=$(host 900) model_name=8000000000000000006 graph_id=99 model_id=31
		level=15000 thread_id=4242 stamp=$(host 950) model_name=8000000000000000007 graph_id=31 model_id=99
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT id, model_id FROM task WHERE model_id <> 4294967295 ORDER BY id')" \
		$'1|31\n6|32\n21|33\n29|34\n37|34'
	sed -i 's/"version":"1.0"/"version":"3.0"/' "$PROF/device_0/info.json.0"
	expect 0 export summary -dir "$PROF"
	equal "$(rows fusion_op | cut -d, -f2-5)" $'layer5:Op5,31,layer0:Op0,layer1:Op1\nlayer6:Op6,4294967295,layer2:Op2,N/A'
	has "$(query 'SELECT text FROM note')" "info.json is of version 3.0, not 1.0 or 2.0"
}

@test "a PROF directory of 2022: host and each device are jobs of their own, with outputs in them" {
	discard "$PROF"
	mkdir "$PROF" "$PROF/host"
	python3 "$HELPERS/ascend2022.py" "$PROF/device_0" tasks=4
	python3 "$HELPERS/ascend2022.py" "$PROF/device_1" tasks=6
	expect 0 export summary -dir "$PROF"
	for device in 0:4 1:6; do
		equal "$(query 'SELECT count(*) FROM task' "$PROF/device_${device%:*}/sqlite/msprof.db")" "${device#*:}"
		[ -s "$(echo "$PROF/device_${device%:*}"/summary/task_time_*.csv)" ]
	done
	[ ! -e "$PROF/sqlite" ]
	# with a host that recorded nothing, whose files of control have no number
	mkdir "$PROF/host/data"
	sed 's/"DeviceInfo": .*/"DeviceInfo": []}/' "$PROF/device_0/info.json.0" >"$PROF/host/info.json"
	cp "$PROF/device_0/sample.json" "$PROF/host"
	expect 0 export summary -dir "$PROF"
	lacks "$stderr" "not a complete"
	discard "$PROF/host"
	mkdir "$PROF/host"
	# with a host, whose files of control may bear no number, and below another directory
	python3 "$HELPERS/ascend2022.py" "$BATS_TEST_TMPDIR/host" tasks=2
	cp -r "$BATS_TEST_TMPDIR"/host/* "$PROF/host/"
	cp "$PROF/host/info.json.0" "$PROF/host/info.json"
	mkdir "$BATS_TEST_TMPDIR/all"
	mv "$PROF" "$JOB" "$BATS_TEST_TMPDIR/all/"
	expect 0 import -dir "$BATS_TEST_TMPDIR/all"
	PROF=$BATS_TEST_TMPDIR/all/${PROF##*/}
	equal "$(query 'SELECT count(*) FROM task' "$PROF/host/sqlite/msprof.db")" 2
	[ -s "$BATS_TEST_TMPDIR/all/${JOB##*/}/sqlite/msprof.db" ]
	discard "$PROF/device_1/sqlite"
	expect 0 import -dir "$PROF/device_1"
	equal "$(query 'SELECT count(*) FROM task' "$PROF/device_1/sqlite/msprof.db")" 6
	equal "$(query 'SELECT value FROM meta WHERE key = "family"' "$PROF/device_1/sqlite/msprof.db")" ascend2022
}

@test "memory of operators: what was allocated with its release, each in its place and by itself" {
	python3 - "$HOST/unaging.additional.task_memory_info.slice_0" <<-'END'
		import struct, sys
		# us, level, operator, address, size: allocated twice before its release, released by another operator, released and never allocated
		with open(sys.argv[1], "ab") as f:
		    for at, level, name, address, size in ((100, 10000, 2, 4096, 2048), (101, 10000, 3, 8192, 1000), (103, 10000, 2, 4096, 1024), (104, 10000, 4, 8192, -1000), (107, 25000, 2, 4096, -1024),
		            (109, 25000, 2, 77, -2048), (110, 10000, 3, 8192, 512), (111, 10000, 5, 5, 512)):
		        f.write(struct.pack("<HHIIIQQqQQQII", 0x5a5a, level, 0, 4242, 0, 100000000000 + at * 100, address, size, 8000000000000000000 + name, at * 1024, 4096, 1, 0).ljust(256, b"\0"))
	END
	expect 0 export summary -dir "$PROF"
	equal "$(rows operator_memory | tr -d '\t')" '0,layer1:Op1,1.0,1700000000000103.000,4.0,103.0,4.0,107.0,4.0,NPU:1
0,layer2:Op2,0.5,1700000000000110.000,0.0,110.0,4.0,0.0,0.0,NPU:1
0,layer4:Op4,0.5,1700000000000111.000,0.0,111.0,4.0,0.0,0.0,NPU:1'
	equal "$(rows memory_record | tr -d '\t' | head -2)" $'0,GE,1700000000000100.000,100.0,4.0,NPU:1\n0,GE,1700000000000101.000,101.0,4.0,NPU:1'
	equal "$(rows memory_record | wc -l)" 8
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db "SELECT s.value, addr, type, size, c.value, deviceId FROM NPU_OP_MEM JOIN STRING_IDS s ON s.id = operatorName JOIN STRING_IDS c ON c.id = component
		WHERE timestampNs IN (1700000000000100000, 1700000000000109000)")" $'layer1:Op1|4096|1|2048|GE|1\nlayer1:Op1|77|0|2048|GE|1'
}

@test "the AI CPU: nodes, queues, models and waits, of today's records and of those before" {
	record prof.aicpu_node "$DEVICE/aicpu.data.0.slice_0" <<-END
		stream_id=1 task_id=0 start_tick=$(device 2006) end_tick=$(device 2009) compute_start_us=10 memcpy_start_us=14 memcpy_end_us=15 submit_tick=$(device 2001) after_run_tick=$(device 2011) dispatch_us=3
	END
	record prof.aicpu_dp "$DEVICE/aicpu.data.0.slice_0" <<<"stamp=$(device 9) action=text:dequeue source=text:iterator queue_index=1 queue_size=12"
	record prof.aicpu_model "$DEVICE/aicpu.data.0.slice_0" <<<"stamp=$(device 9) index_id=2 model_id=3 tag_id=4 event_id=5"
	record prof.aicpu_mi "$DEVICE/aicpu.data.0.slice_0" <<<"node_tag=1 queue_size=6 start_us=70 end_us=75"
	record prof.aicpu_other "$DEVICE/aicpu.data.0.slice_0" <<<"type=14 stamp=8"
	record prof.aicpu_before "$DEVICE/DATA_PREPROCESS.AICPU.0.slice_0" <<<"stream_id=99 task_id=1 start_tick=$(device 10) end_tick=$(device 12)"
	record prof.dp_before "$DEVICE/DATA_PREPROCESS.DP.0.slice_0" <<<"stamp=$(device 8) action=text:enqueue source=text:it queue_size=1"
	record prof.aicpu_model_before "$DEVICE/DATA_PREPROCESS.AICPU_MODEL.0.slice_0" <<<"stamp=$(device 9) index_id=7"
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(rows aicpu | tr -d '\t')" '0,1700000000000010.000,N/A,0.0,0.0,2.0,0.0,0.0,99,1
0,1700000000002006.000,layer1:Op1,4.0,1.0,3.0,3.0,10.0,1,0'
	equal "$(rows dp | tr -d '\t')" '0,1700000000000008.000,enqueue,it,1
0,1700000000000009.000,dequeue,iterator,12'
	equal "$(rows aicpu_mi | tr -d '\t')" 0,1,70,75,6
	equal "$(query 'SELECT index_id, model_id, tag_id, event_id FROM aicpu_model ORDER BY index_id')" $'2|3|4|5\n7|0|0|0'
	equal "$(query 'SELECT type, stamp FROM aicpu_other')" "14|8"
	equal "$(query "SELECT text FROM note WHERE text LIKE '%AI CPU%'")" "1 record of the AI CPU has a type that is not known: it is in no report"
}

@test "files of 2023 and the beginning of 2024: nodes of the AI CPU and marks, in names that have no device" {
	python3 - "$HOST" "$DEVICE" <<-'END'
		import struct, sys
		with open(sys.argv[2] + "/aging.additional.data_preprocess.slice_0", "wb") as f:
		    ticks = [50000000000 + us * 50 for us in (2006, 2009, 2001, 2011)]
		    f.write(struct.pack("<HHIIIQHH4xQQQQQQQIIQQQQIIIHB113x", 0x5a5a, 6000, 2, 0, 128, 0, 1, 0, 0, ticks[0], 10, 14, 15, 0, ticks[1], 7, 0,
		                        ticks[2], 0, 0, ticks[3], 0, 3, 10, 0, 0))
		with open(sys.argv[1] + "/Msprof.msproftx.slice_0", "wb") as f:
		    for kind, at, us, text in ((1, 2100, 30, b"range"), (0, 2200, 0, b"mark")):
		        begin = 100000000000 + at * 100
		        f.write(struct.pack("<HHIIIIIQQQI128s76x", 0x5a5a, 31, 4242, 4243, 9, kind, 2, 5, begin, begin + us * 100, 1, text))
	END
	expect 0 export summary -dir "$PROF"
	lacks "$stderr" "not understood"
	accounted
	equal "$(rows aicpu | tr -d '\t')" '0,1700000000002006.000,layer1:Op1,4.0,1.0,3.0,3.0,10.0,1,0'
	equal "$(rows msprof_tx | tr -d '\t' | cut -d, -f1-11)" 'host,4242,4243,9,push/pop,2,5,1700000000002100.000,1700000000002130.000,1,range
host,4242,4243,9,marker,2,5,1700000000002200.000,1700000000002200.000,1,mark'
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT startNs, endNs - startNs, value FROM MSTX_EVENTS JOIN STRING_IDS ON id = message')" \
		$'1700000000002100000|30000|range\n1700000000002200000|0|mark'
}

# stamps STAMP...: samples of the last level cache and of memory, the first and the second sample of a device
stamps() {
	for stamp; do
		for event in 0=8192 1=8192 2=50 19=0 32=100 34=0 52=0 54=0; do
			echo "stamp_us=$stamp count=${event#*=} event=${event%=*} l3t_id=1"
		done
		for channel in 0 1 2 3; do
			echo "stamp_us=$stamp count=$((32768 * (channel + 1))) type=1 hbm_id=$channel" >&2
		done
	done
}

# counters: the events of the trace that are samples, in order, without zeros
counters() {
	jq -r '.[] | select(.ph == "C" and .name != "AI Core Freq") | [.name, .ts, (.args | to_entries[] | .key, .value)] | map(tostring) | join("|")' \
		"$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sed 's/|1700000000/|/' | sort
}

@test "samples of a device are counters of the trace, reports and tables of export db" {
	file=$DEVICE/stars_soc_profile.data.0.slice_0
	sed -i 's/"llc_profiling"/"qosEvents":"in,out","hbm_profiling_events":"write","l2CacheTaskProfilingEvents":"0xFB,0xfc,0x90,0x91, 0x9c","llc_profiling"/' "$PROF/device_0/sample.json"
	record prof.acc_pmu "$file" <<-END
		counter=$(device 10) acc_id=3 write_bandwidth=11 read_bandwidth=12 write_ost=13 read_ost=14
		counter=$(device 10) acc_id=4 write_bandwidth=10 read_bandwidth=22 write_ost=13 read_ost=14
	END
	record prof.inter_soc "$file" <<<"counter=$(device 10) mata_level=2 buffer_level=7"
	record prof.sio "$file" <<-END
		counter=$(device 10) acc_id=1 req_rx=5 dat_tx=6
		counter=$(device 20) acc_id=1 req_rx=1048576
		counter=$(device 20) acc_id=2 req_rx=1
	END
	record prof.stars_qos "$file" <<<"counter=$(device 10) die_id=1 bw1=9 bw2=8 bw10=7"
	record prof.qos "$DEVICE/qos.data.0.slice_0" <<<"counter=$(device 11) bw1=3 bw2=4"
	record prof.chip_trans "$file" <<-END
		counter=$(device 10) die_id=63 event_id=2 value1=21 value2=22
		counter=$(device 10) die_id=34 event_id=4 value1=41 value2=42
		counter=$(device 10) die_id=5 event_id=4 value1=41 value2=42
	END
	record prof.npu_mem "$DEVICE/npu_mem.data.0.slice_0" <<<"event=1 stamp_us=30 ddr_bytes=2048 hbm_bytes=1024"
	stamps 1000 2000 >"$BATS_TEST_TMPDIR/cache" 2>"$BATS_TEST_TMPDIR/memory"
	record prof.hbm "$DEVICE/hbm.data.0.slice_0" <"$BATS_TEST_TMPDIR/memory"
	record prof.llc "$DEVICE/llc.data.0.slice_0" <"$BATS_TEST_TMPDIR/cache"
	record prof.pcie "$DEVICE/pcie.data.0.slice_0" <<-END
		stamp=1000001000000 tx_p_min=1 tx_p_max=3 tx_p_avg=1048576 rx_cpl_avg=2097152 tx_cpl_avg=1048576 tx_latency_avg=1500
		stamp=999999000000 tx_p_avg=2
	END
	record prof.l2_cache "$DEVICE/l2_cache.data.0.slice_0" <<<"stream_id=1 task_id=0 event0=30 event1=10 event2=1 event3=1 event4=5"
	expect 0 export timeline -dir "$PROF"
	accounted
	# what has no place is not shown: the second stamp alone has rates, and what is from before the beginning is left out;
	# HBM is by times of the day as doubles, which are 999936 ns apart
	hbm=$(python3 -c 'for k in range(4): print(f"HBM {k}/Write|001999.872|Write(MB/s)|{(k + 1) / (1700000000002e6 - 1700000000001e6) * 1e9}")')
	equal "$(counters | grep -vE '\|0$')" \
'Device/DDR|000029.952|KB|2
Device/HBM|000029.952|KB|1
Device/Memory|000029.952|KB|3
'"$hbm"'
L2 Buffer Bw Level|000010.000|L2 Buffer Bw Level|7
LLC 1 Read/Hit Rate|000999.936|Hit Rate(%)|0.5
LLC 1 Read/Hit Rate|001999.872|Hit Rate(%)|0.5
LLC 1 Read/Throughput|001999.872|Throughput(MB/s)|64000
Mata Bw Level|000010.000|Mata Bw Level|2
PA Link Rx|000010.000|PA Link ID|2|PA Link Rx|21
PA Link Tx|000010.000|PA Link ID|2|PA Link Tx|22
PCIE Read Bandwidth|000010.000|PCIE ID|4|PCIE Read Bandwidth|42
PCIE Write Bandwidth|000010.000|PCIE ID|4|PCIE Write Bandwidth|41
PCIe_cpl|001000.000|Rx|2000000|Tx|1000000
PCIe_nonpost_latency|001000.000|Rx|0|Tx|1.5
PCIe_post|001000.000|Rx|0|Tx|1000000
QoS in|000010.000|value|9
QoS in|000011.000|value|3
QoS out|000010.000|value|8
QoS out|000011.000|value|4
read_bandwidth|000010.000|value|22
read_ost|000010.000|value|14
req_rx|000020.000|die 1|100000
write_bandwidth|000010.000|value|11
write_ost|000010.000|value|13'
	equal "$(jq -r '.[] | select(.name == "process_sort_index" and (.pid % 32) == 0) | .args.sort_index' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sort -n | paste -sd,)" \
		'14,15,15,17,19,23,24,25,26,27,28,29,31'
	expect 0 export summary -dir "$PROF"
	equal "$(rows l2_cache)" "0,1,0,N/A,0.125,layer1:Op1"
	expect 0 export db -dir "$PROF"
	made=$(echo "$PROF"/msprof_*.db)
	equal "$(sqlite3 "$made" 'SELECT bandwidth, hbmId, value FROM HBM JOIN STRING_IDS ON id = type WHERE hbmId = 1;
		SELECT llcId, hitRate, throughput, value FROM LLC JOIN STRING_IDS ON id = mode; SELECT ddr, hbm, timestampNs, value FROM NPU_MEM JOIN STRING_IDS ON id = type;
		SELECT txPostMin, txPostAvg, rxCplAvg, timestampNs FROM PCIE; SELECT accId, readBwLevel, writeOstLevel FROM ACC_PMU; SELECT l2BufferBwLevel, mataBwLevel FROM SOC_BANDWIDTH_LEVEL;
		SELECT value, rxReq FROM SIO JOIN STRING_IDS ON id = name; SELECT value, bandwidth, dieId FROM QOS JOIN STRING_IDS ON id = eventName ORDER BY 1, 2')" \
'0|1|write
2097286226|1|write
1|50.0|0|read
1|50.0|67108864000|read
2048|1024|1700000000000029952|device
1000000|1048576000000|2097152000000|1700000000001000000
3|12|13
4|22|13
7|2
die 1|104857600000
QoS in|3145728|-1
QoS in|9437184|-1
QoS out|4194304|-1
QoS out|8388608|-1'
	equal "$(sqlite3 "$made" "SELECT group_concat(name) FROM sqlite_schema WHERE name IN ('NPU_OP_MEM', 'COMMUNICATION_OP', 'MEMCPY_INFO', 'NPU_MODULE_MEM')")" "" # a table is there where its data is
}

@test "samples of other chips: DDR in units of its width, averages of PCIe, classes of traffic by die, no file of another chip" {
	sed -i 's/"platform_version":"5"/"platform_version":"1"/' "$PROF/device_0/info.json.0"
	for width in 0 1; do
		echo "stamp_us=1000 count=65536 type=$width controller=0 master_id=4294967295"
		echo "stamp_us=1000 count=65536 type=$width controller=1 master_id=4294967295"
		echo "stamp_us=1000 count=65536 type=$width controller=1 master_id=7"
		echo "stamp_us=3000 count=65536 type=$width controller=0 master_id=4294967295"
	done >"$BATS_TEST_TMPDIR/records"
	record prof.ddr "$DEVICE/ddr.data.0.slice_0" <"$BATS_TEST_TMPDIR/records"
	record prof.pcie "$DEVICE/pcie.data.0.slice_0" <<-END
		stamp=1000001000000 tx_p_min=1048576 tx_p_max=1048576 tx_p_avg=2097152 tx_latency_avg=1500
		stamp=1000002000000 tx_p_min=0 tx_p_max=3145728 tx_p_avg=1048576 tx_latency_avg=2500
		stamp=1000003000000 tx_p_min=4 tx_p_max=3 tx_p_avg=9
	END
	record prof.qos "$DEVICE/qos.data.0.slice_0" <<<"counter=$(device 11) bw1=3 bw2=4"
	record prof.l2_cache "$DEVICE/l2_cache.data.0.slice_0" <<<"stream_id=1 task_id=0 event0=30 event1=10 event2=1"
	sed -i 's/"llc_profiling"/"l2CacheTaskProfilingEvents":"0x5c,0x59,0x5b","llc_profiling"/' "$PROF/device_0/sample.json"
	expect 3 export summary -dir "$PROF"
	# two controllers of 65536 accesses of 256 bits each in the first ms, one in the next two
	equal "$(rows ddr)" "0,Average,2500.0,2500.0"
	equal "$(rows pcie | sed -n '1p;4p')" $'0,Tx_p_avg(MB/s),500000.0,2000000.0,1500000.0\n0,Tx_latency_avg(us),0.0,0.0,2.0'
	equal "$(rows l2_cache)" "0,1,0,0.1,3.0,layer1:Op1"
	equal "$(query "SELECT state FROM source WHERE file LIKE '%qos%' AND state <> 'marker'")" unknown
	expect 3 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT timestampNs, read, write FROM DDR')" \
		$'1700000000001000000|4194304000|4194304000\n1700000000003000000|1048576000|1048576000'
	discard "$PROF/sqlite"
	rm "$DEVICE"/*
	sed -i 's/"platform_version":"1"/"platform_version":"16"/' "$PROF/device_0/info.json.0"
	sed -i 's/"llc_profiling"/"qosEvents":"in","llc_profiling"/' "$PROF/device_0/sample.json"
	file=$DEVICE/stars_soc_profile.data.0.slice_0
	record prof.stars_qos "$file" <<-END
		counter=$(device 10) die_id=1 bw1=9 bw3=8
		counter=$(device 10) die_id=0 bw1=9 bw3=7
	END
	record prof.sio "$file" <<-END
		counter=$(device 10) die_id=2
		counter=$(device 20) die_id=2 req_rx=1048576
	END
	record prof.chip_trans "$file" <<<"counter=$(device 10) die_id=1 value1=41 value2=42"
	expect 0 export timeline -dir "$PROF"
	equal "$(counters | grep -v '|0$')" \
'PCIE Read Bandwidth|000010.000|U-Die1|42
PCIE Write Bandwidth|000010.000|U-Die1|41
QoS in|000010.000|die 0|7|die 1|8
req_rx|000020.000|U-DIE0|100000'
}

@test "flips that the host recorded count its batches; tasks that were numbered while another thread flipped are of the next" {
	# stream 30: tasks 0, 1, 65534, 0, 65535, 1, then the flip (which itself took number 2), 3; on the host and on the device
	python3 - "$HOST" "$DEVICE" "$(host 1100)" "$(device 2600)" <<-'END'
		import struct, sys
		host, device, at, ticks = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
		with open(host + "/aging.compact.task_track.slice_0", "wb") as f:
		    for i, (task, kind, batch, name) in enumerate(((0, 802, 0, 10), (1, 802, 0, 11), (65534, 802, 0, 0), (0, 802, 0, 1), (65535, 802, 0, 2), (1, 802, 0, 3), (2, 999, 1, 4),
		            (3, 802, 0, 5), (65535, 802, 0, 6), (5, 999, 65535, 7), (3, 802, 0, 8))):
		        f.write(struct.pack("<HHIIIQHHHHQQ16x", 0x5a5a, 5000, 802, 7777, 24, at + 100 * i, 0, 30, task, batch, kind, 8000000000000000001 + name))
		with open(device + "/stars_soc.data.0.slice_1", "wb") as f:
		    for i, task in enumerate((0, 1, 65534, 0, 65535, 1, None, 3, 65535, None, 3)):
		        for end in (0, 1) if task is not None else ():
		            f.write(struct.pack("<HHHHQHH44x", end, 0x6bd3, 30, task, ticks + 50 * i + 20 * end, 0, 0))
		with open(device + "/ts_track.data.0.slice_0", "wb") as f:
		    for i, number, task in ((6, 1, 2), (9, 65535, 5)):
		        f.write(struct.pack("<BBHIQHHHH16x", 0, 14, 40, 0, ticks + 50 * i, 30, number, 0, task))
		with open(host + "/unaging.additional.hash_dic.slice_1", "w") as f:
		    f.write("999:FLIP_TASK\n")
	END
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT t.task_id, t.batch_id, name FROM tasks JOIN task t USING (id) WHERE t.stream_id = 30 ORDER BY id')" \
'0|0|layer10:Op0
1|0|layer11:Op1
65534|0|layer0:Op0
0|1|layer1:Op1
65535|0|layer2:Op2
1|1|layer3:Op3
3|1|layer5:Op5
65535|1|layer6:Op6
3|0|layer8:Op8'
	equal "$(query "SELECT text FROM note WHERE text LIKE '%task_track%' OR text LIKE '%did not run%'")" ""
}

@test "sub-tasks are of the latest run of their task" {
	# task 4 of stream 3 and its sub-task, twice, each launched in a call of its own: those of tasks 3 and 11
	record prof.task_track "$HOST/unaging.compact.task_track.slice_0" <<-END
		level=5000 type=802 thread_id=4243 data_len=24 stamp=$(host 1021) stream_id=30 task_id=4
		level=5000 type=802 thread_id=4243 data_len=24 stamp=$(host 1069) stream_id=30 task_id=4
	END
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=30 task_id=4 counter=$(device 3000)
		end=1 stream_id=30 task_id=4 counter=$(device 3009)
		end=0 stream_id=30 task_id=4 counter=$(device 3010)
		end=1 stream_id=30 task_id=4 counter=$(device 3019)
	END
	record prof.ffts_log "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=30 task_id=4 context_id=1 counter=$(device 3000)
		end=1 stream_id=30 task_id=4 context_id=1 counter=$(device 3001)
		end=0 stream_id=30 task_id=4 context_id=1 counter=$(device 3010)
		end=1 stream_id=30 task_id=4 context_id=1 counter=$(device 3011)
	END
	record prof.context_id_info "$HOST/unaging.additional.context_id_info.slice_0" <<-END
		level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000004 context_num=1 contexts=u32:1
		level=10000 thread_id=4243 stamp=$(host 1070) op_name=8000000000000000012 context_num=1 contexts=u32:1
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT t.start_ns, t.context_id, t.connection_id, name FROM tasks JOIN task t USING (id) WHERE t.stream_id = 30 ORDER BY t.start_ns, t.context_id')" \
'1000003000000|1|11|layer3:Op3
1000003000000|4294967295|11|layer3:Op3
1000003010000|1|35|layer11:Op1
1000003010000|4294967295|35|layer11:Op1'
}
