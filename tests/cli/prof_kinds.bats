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
	# launched twice, run three times: the launch of the third run is unknown
	record prof.task_track "$HOST/unaging.compact.task_track.slice_0" <<<"level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1003) stream_id=0 task_id=0"
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=0 task_id=0 counter=$(device 6000)
		end=1 stream_id=0 task_id=0 counter=$(device 6004)
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*), count(launch_ns) FROM task WHERE stream_id = 0 AND task_id = 0')" "3|2"
	has "$(query 'SELECT text FROM note')" "1 task ran that no task_track launched"
	expect 0 export summary -dir "$PROF"
	has "$(rows task_time)" $'\n0,N/A,AI_CORE,0,0,4'
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT value FROM TASK JOIN STRING_IDS ON id = taskType WHERE connectionId = 4294967295')" AI_CORE
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
		level=10000 thread_id=4243 data_len=40 stamp=$(host 1022) op_name=8000000000000000008 op_type=17000000000000000008 block_num=4 task_type=5
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
		$'4294967295|layer3:Op3|Op3|AI_CORE|24|11\n5|layer3:Op3|Op3|AI_CORE|24|11\n9|layer7:Op7|Op7|MIX_AIV|4|11\n11|layer7:Op7|Op7|MIX_AIV|4|11\n12|layer3:Op3|Op3|AI_CORE|24|11'
	equal "$(query 'SELECT context_id, input_shapes FROM task t JOIN tensor n ON n.id = tensor_id ORDER BY t.id')" \
		$'4294967295|"3"\n5|"3"\n9|"7,7;5"\n11|"7,7;5"\n12|"3"'
	expect 0 export summary -dir "$PROF"
	has "$(rows op_summary)" 'layer7:Op7,Op7,static,MIX_AIV'
	# a launch that has only sub-tasks did run
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
		level=15000 thread_id=4242 stamp=$(host 900) model_name=8000000000000000006 graph_id=31
		level=15000 thread_id=4242 stamp=$(host 950) model_name=8000000000000000007 graph_id=99
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
	record prof.task_memory_info "$HOST/unaging.additional.task_memory_info.slice_0" <<-END
		level=10000 thread_id=4242 stamp=$(host 100) address=4096 size=2048 operator=8000000000000000002 total_allocated=2048 total_reserved=8192
		level=10000 thread_id=4242 stamp=$(host 101) address=8192 size=1024 operator=8000000000000000003 total_allocated=3072 total_reserved=8192
	END
	python3 - "$HOST/unaging.additional.task_memory_info.slice_0" "$(host 107)" "$(host 109)" <<-'END'
		import struct, sys
		# sizes below 0: of what was allocated first, and of what nobody allocated
		with open(sys.argv[1], "ab") as f:
		    for stamp, address in ((sys.argv[2], 4096), (sys.argv[3], 77)):
		        f.write(struct.pack("<HHIIIQQqQQQII", 0x5a5a, 25000, 0, 4242, 0, int(stamp), address, -2048, 8000000000000000002, 1024, 4096, 0, 0).ljust(256, b"\0"))
	END
	expect 0 export summary -dir "$PROF"
	equal "$(rows operator_memory | tr -d '\t')" 'host,layer1:Op1,2,1700000000000100.000,7.000,2,8,1,4,NPU:0
host,layer2:Op2,1,1700000000000101.000,N/A,3,8,N/A,N/A,NPU:0
host,layer1:Op1,2,N/A,N/A,N/A,N/A,1,4,NPU:0'
	equal "$(rows memory_record | tr -d '\t')" 'host,GE,1700000000000100.000,2,8,NPU:0
host,GE,1700000000000101.000,3,8,NPU:0
host,PTA,1700000000000107.000,1,4,NPU:0
host,PTA,1700000000000109.000,1,4,NPU:0'
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT s.value, addr, type, size, c.value FROM NPU_OP_MEM JOIN STRING_IDS s ON s.id = operatorName JOIN STRING_IDS c ON c.id = component WHERE size < 0 LIMIT 1')" \
		'layer1:Op1|4096|0|-2048|PTA'
}

@test "the AI CPU: nodes, queues, models and waits, of today's records and of those before" {
	record prof.aicpu_node "$DEVICE/aicpu.data.0.slice_0" <<-END
		stream_id=1 task_id=0 start_tick=$(device 2006) end_tick=$(device 2009) compute_start_us=10 memcpy_start_us=14 memcpy_end_us=15 submit_tick=$(device 2001) after_run_tick=$(device 2011) dispatch_us=3
	END
	record prof.aicpu_dp "$DEVICE/aicpu.data.0.slice_0" <<<"stamp=$(device 9) action=text:dequeue source=text:iterator queue_index=1 queue_size=12"
	record prof.aicpu_model "$DEVICE/aicpu.data.0.slice_0" <<<"stamp=$(device 9) index_id=2 model_id=3 tag_id=4 event_id=5"
	record prof.aicpu_mi "$DEVICE/aicpu.data.0.slice_0" <<<"node_tag=1 queue_size=6 start_us=70 end_us=75"
	record prof.aicpu_other "$DEVICE/aicpu.data.0.slice_0" <<<"type=13 stamp=8"
	record prof.aicpu_before "$DEVICE/DATA_PREPROCESS.AICPU.0.slice_0" <<<"stream_id=99 task_id=1 start_tick=$(device 10) end_tick=$(device 12)"
	record prof.dp_before "$DEVICE/DATA_PREPROCESS.DP.0.slice_0" <<<"stamp=$(device 8) action=text:enqueue source=text:it queue_size=1"
	record prof.aicpu_model_before "$DEVICE/DATA_PREPROCESS.AICPU_MODEL.0.slice_0" <<<"stamp=$(device 9) index_id=7"
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(rows aicpu | tr -d '\t')" '0,1700000000000010.000,N/A,0,0,2.000,0,0.000,99,1
0,1700000000002006.000,layer1:Op1,4,1,3.000,3,10.000,1,0'
	equal "$(rows dp | tr -d '\t')" '0,1700000000000008.000,enqueue,it,1
0,1700000000000009.000,dequeue,iterator,12'
	equal "$(rows aicpu_mi | tr -d '\t')" 0,1,70,75,6
	equal "$(query 'SELECT index_id, model_id, tag_id, event_id FROM aicpu_model ORDER BY index_id')" $'2|3|4|5\n7|0|0|0'
	equal "$(query 'SELECT type, stamp FROM aicpu_other')" "13|8"
}

@test "samples of a device are counters of the trace, reports and tables of export db" {
	file=$DEVICE/stars_soc_profile.data.0.slice_0
	record prof.acc_pmu "$file" <<<"counter=$(device 10) acc_id=3 write_bandwidth=11 read_bandwidth=12 write_ost=13 read_ost=14"
	record prof.inter_soc "$file" <<-END
		counter=$(device 10) mata_level=2 buffer_level=7
		counter=$(device 20) mata_level=4 buffer_level=8
	END
	record prof.sio "$file" <<<"counter=$(device 10) acc_id=1 req_rx=5 dat_tx=6"
	record prof.stars_qos "$file" <<<"counter=$(device 10) die_id=1 bw1=9 bw10=8"
	record prof.chip_trans "$file" <<<"counter=$(device 10) event_id=2 value1=21 value2=22"
	record prof.npu_mem "$DEVICE/npu_mem.data.0.slice_0" <<<"event=1 counter=$(device 30) ddr_bytes=2048 hbm_bytes=1024"
	record prof.ddr "$DEVICE/ddr.data.0.slice_0" <<<"stamp_us=1000 count=65536 type=0 controller=0 master_id=4294967295"
	record prof.hbm "$DEVICE/hbm.data.0.slice_0" <<<"stamp_us=1000 count=32768 type=1 hbm_id=2"
	record prof.llc "$DEVICE/llc.data.0.slice_0" <<-END
		stamp_us=1000 count=16384 event=0 l3t_id=3
		stamp_us=1000 count=50 event=2 l3t_id=3
		stamp_us=1000 count=100 event=4 l3t_id=3
	END
	record prof.pcie "$DEVICE/pcie.data.0.slice_0" <<<"stamp=1000 tx_p_min=1 tx_p_avg=2 rx_cpl_avg=7"
	expect 0 export timeline -dir "$PROF"
	accounted
	equal "$(jq -r '.[] | select(.ph == "C") | [.name, .ts, (.args | to_entries[] | .key, .value)] | map(tostring) | join("|")' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | grep -v '|0$' | sed 's/|1700000000/|/' | sort)" \
'Accelerator 3/read_bandwidth|000010.000|value|12
Accelerator 3/read_ost|000010.000|value|14
Accelerator 3/write_bandwidth|000010.000|value|11
Accelerator 3/write_ost|000010.000|value|13
DDR 0/Read|001000.000|Read(MB/s)|1000
Device/DDR|000030.000|KB|2
Device/HBM|000030.000|KB|1
Device/MEMORY|000030.000|KB|3
Die 1 QoS 10|000010.000|value|8
Die 1 QoS 1|000010.000|value|9
Event 2/rx, write|000010.000|value|21
Event 2/tx, read|000010.000|value|22
HBM 2/Write|001000.000|Write(MB/s)|1000
L2 Buffer Bw Level|000010.000|value|7
L2 Buffer Bw Level|000020.000|value|8
LLC 3 read/Hit Rate|001000.000|Hit Rate(%)|50
LLC 3 read/Throughput|001000.000|Throughput(MB/s)|1000
Mata Bw Level|000010.000|value|2
Mata Bw Level|000020.000|value|4
PCIe_cpl/Rx|001000.000|Rx|7
PCIe_post/Tx|001000.000|Tx|2
SIO 1/dat_tx|000010.000|value|6
SIO 1/req_rx|000010.000|value|5'
	equal "$(jq -r '.[] | select(.name == "process_name" and (.pid % 32) == 0 and (.pid / 32 % 32 | floor) > 18 and
		(.pid / 32 % 32 | floor) < 31) | .args.name' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sort | paste -sd,)" \
		'Acc PMU,DDR,HBM,LLC,NPU MEM,PCIe,QoS,SIO,Stars Chip Trans,Stars Soc Info'
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export summary -dir "$PROF"
	equal "$(rows acc_pmu | tr -d '\t')" "0,N/A,N/A,3,N/A,12,11,14,13,1700000000000010.000,N/A,N/A"
	equal "$(rows inter_soc_transmission)" "0,Average,7.5,3"
	expect 0 export db -dir "$PROF"
	made=$(echo "$PROF"/msprof_*.db)
	equal "$(sqlite3 "$made" 'SELECT deviceId, timestampNs, read, write FROM DDR; SELECT bandwidth, hbmId, value FROM HBM JOIN STRING_IDS ON id = type;
		SELECT llcId, hitRate, throughput, value FROM LLC JOIN STRING_IDS ON id = mode; SELECT ddr, hbm, timestampNs, value FROM NPU_MEM JOIN STRING_IDS ON id = type;
		SELECT txPostMin, txPostAvg, rxCplAvg, timestampNs FROM PCIE; SELECT accId, readBwLevel, writeOstLevel FROM ACC_PMU; SELECT l2BufferBwLevel, mataBwLevel FROM SOC_BANDWIDTH_LEVEL')" \
'0|1700000000001000000|1048576000|
1048576000|2|write
3|0.5|1048576000|read
2048|1024|1700000000000030000|device
1|2|7|1700000000001000000
3|12|13
7|2
8|4'
	equal "$(sqlite3 "$made" "SELECT group_concat(name) FROM sqlite_schema WHERE name IN ('NPU_OP_MEM', 'COMMUNICATION_OP', 'MEMCPY_INFO', 'NPU_MODULE_MEM')")" "" # a table is there where its data is
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
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT t.start_ns, t.context_id, t.connection_id, name FROM tasks JOIN task t USING (id) WHERE t.stream_id = 30 ORDER BY t.start_ns, t.context_id')" \
'1000003000000|1|11|layer3:Op3
1000003000000|4294967295|11|layer3:Op3
1000003010000|1|35|layer11:Op1
1000003010000|4294967295|35|layer11:Op1'
}
