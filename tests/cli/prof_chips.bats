#!/usr/bin/env bats
# prof_chips.bats: PROF directories of chips with other logs.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

@test "chips 1 to 4: tasks of hwts, their counters, blocks and kinds" {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	sed -i 's/"platform_version":"5"/"platform_version":"1"/' "$PROF/device_0/info.json.0"
	record prof.hwts "$DEVICE/hwts.data.0.slice_0" <<-END
		end=0 stream_id=0 task_id=0 counter=$(device 2000) sequence=1
		end=1 stream_id=0 task_id=0 counter=$(device 2004) sequence=2
		end=0 stream_id=1 task_id=0 counter=$(device 2006) task_type=9
		end=1 stream_id=1 task_id=0 counter=$(device 2009) task_type=9
	END
	record prof.hwts_block "$DEVICE/hwts.data.0.slice_0" <<<"type=2 stream_id=0 task_id=0 block_id=7 counter=$(device 2001)"
	record prof.hwts "$DEVICE/hwts.aiv_data.0.slice_0" <<-END
		end=0 stream_id=2 task_id=0 counter=$(device 2012) task_type=2
		end=1 stream_id=2 task_id=0 counter=$(device 2015) task_type=2
	END
	record prof.aicore "$DEVICE/aicore.data.0.slice_0" <<<"stream_id=0 task_id=0 total_cycles=7400 pmu0=1000"
	record prof.aiv "$DEVICE/aiVectorCore.data.0.slice_0" <<<"stream_id=2 task_id=0 total_cycles=3700 pmu0=50"
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT start_ns, dur_ns, name, task_type FROM tasks WHERE start_ns IS NOT NULL ORDER BY id')" \
		$'1000002000000|4000|layer0:Op0|AI_CORE\n1000002006000|3000|layer1:Op1|AI_CORE\n1000002012000|3000|layer2:Op2|AI_CORE'
	equal "$(query 'SELECT aic_cycles, aic_pmu0, aic_us, aiv_cycles, aiv_pmu0, aiv_us FROM task WHERE start_ns IS NOT NULL ORDER BY id')" \
		$'7400|1000|0.17|||\n|||||\n|||3700|50|0.08' # of 24 blocks each; two decimals
	equal "$(query 'SELECT type, block_id, time_ns FROM hwts_block')" "2|7|1000002001000"
	expect 0 export summary -dir "$PROF"
	equal "$(query 'SELECT k.name FROM task t JOIN task_kind k ON k.kind = t.device_type ORDER BY t.id')" $'AI_CORE\nSDMA_SQE\nAIV_SQE'
}

@test "chips of version 6: logs of 32 bytes, other kinds of tasks, counters of blocks" {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$PROF/host/info.json" "$PROF/device_0/info.json.0"
	# numbers of more than 16 bits, and a stream with bits that other chips would move
	rm "$HOST/unaging.compact.task_track.slice_0"
	record prof.v6_task_track "$HOST/unaging.compact.task_track.slice_0" <<-END
		level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1001) stream_id=2 task_id=70000
		level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1003) stream_id=12291 task_id=70001
		level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1004) stream_id=1 task_id=70002
	END
	record prof.v6_log "$DEVICE/stars_soc.data.0.slice_0" <<-END
		end=0 task_id=70000 counter=$(device 2000)
		end=1 task_id=70000 counter=$(device 2004)
		end=0 task_id=70001 counter=$(device 2006) task_type=4
		end=1 task_id=70001 counter=$(device 2009) task_type=4
		end=0 task_id=65536 counter=$(device 2010)
		end=1 task_id=65536 counter=$(device 2014)
	END
	record prof.v6_fusion "$DEVICE/stars_soc.data.0.slice_0" <<<"end=0 task_id=70000 counter=$(device 2001) fusion_type=4 mission_id=3"
	record prof.v6_other "$DEVICE/stars_soc.data.0.slice_0" <<<"func_type=4 task_id=70000 counter=$(device 2001)"
	head -c 64 /dev/zero >>"$DEVICE/stars_soc.data.0.slice_0"
	record prof.v6_pmu "$DEVICE/ffts_profile.data.0.slice_0" <<-END
		task_id=70000 core_type=0 block_id=0 total_cycles=1000 pmu0=10 pmu9=1 begin=$(device 2001) end=$(device 2003)
		task_id=70000 core_type=0 block_id=1 total_cycles=2700 pmu0=20 pmu9=1 begin=$(device 2001) end=$(device 2004)
		task_id=70000 core_type=1 block_id=1 total_cycles=500 pmu1=7 begin=$(device 2002) end=$(device 2004)
		task_id=65536 core_type=0 block_id=0 total_cycles=80 pmu0=2 begin=$(device 2011) end=$(device 2012)
		task_id=999 core_type=0 block_id=0 total_cycles=1 begin=$(device 2011) end=$(device 2012)
	END
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT start_ns, stream_id, task_id, launch_ns IS NOT NULL, aic_cycles, aic_pmu0, aic_pmu9, aiv_cycles, aiv_pmu1, aic_us FROM task WHERE start_ns IS NOT NULL ORDER BY id')" \
		$'1000002000000|2|70000|1|3700|30|2|500|7|0.0833333333333333\n1000002006000|12291|70001|1||||||\n1000002010000|65535|65536|0|80|2|0|||0.0'
	equal "$(query 'SELECT fusion_type, mission_id, time_ns FROM fusion_log')" "4|3|1000002001000"
	equal "$(query 'SELECT func_type, task_id FROM v6_other ORDER BY func_type')" $'0|\n0|\n4|70000'
	expect 0 export summary -dir "$PROF"
	equal "$(query 'SELECT k.name FROM task t JOIN task_kind k ON k.kind = t.device_type ORDER BY t.id')" $'AI_CORE\nAICPU_H\nAI_CORE'
	equal "$(query 'SELECT count(*) FROM task WHERE is_op')" 3
	# the reference knows no operators of this one
	sed -i 's/"platform_version":"15"/"platform_version":"16"/' "$PROF/host/info.json" "$PROF/device_0/info.json.0"
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*), count(is_op) FROM task WHERE launch_ns IS NOT NULL')" "3|0"
	# no other chip could have written the same bytes
	sed -i 's/"platform_version":"16"/"platform_version":"5"/' "$PROF/host/info.json" "$PROF/device_0/info.json.0"
	expect 3 import -dir "$PROF"
}

@test "chips of version 6: counters of a task without blocks are those of the run with its stream and number" {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile* "$HOST/unaging.compact.task_track.slice_0"
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$PROF/host/info.json" "$PROF/device_0/info.json.0"
	printf "level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1001) stream_id=%d task_id=%d\n" 2 7 3 70000 |
		record prof.v6_task_track "$HOST/unaging.compact.task_track.slice_0"
	printf 'end=%d task_id=%d counter=%d\n' 0 7 "$(device 2000)" 1 7 "$(device 2004)" 0 70000 "$(device 2006)" 1 70000 "$(device 2009)" |
		record prof.v6_log "$DEVICE/stars_soc.data.0.slice_0"
	record prof.v6_task_pmu "$DEVICE/ffts_profile.data.0.slice_0" <<-END
		stream_id=3 task_id=7 total_cycles=900 pmu0=9 begin=$(device 2001) end=$(device 2003)
		stream_id=2 task_id=7 total_cycles=3700 pmu0=10 pmu7=4 begin=$(device 2001) end=$(device 2003)
	END
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT task_id, aic_cycles, aic_pmu0, aic_pmu7, aiv_cycles FROM task WHERE start_ns IS NOT NULL ORDER BY id')" $'7|3700|10|4|\n70000||||'
	equal "$(query 'SELECT stream_id, dur_ns FROM pmu')" '3|2000' # what is of no run stays
}

# older: the device is an Ascend310P that ran one task
older() {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	sed -i 's/"platform_version":"5"/"platform_version":"4"/' "$PROF/device_0/info.json.0"
	printf 'end=0 stream_id=0 task_id=0 counter=%s sequence=1\nend=1 stream_id=0 task_id=0 counter=%s sequence=2\n' "$(device 2000)" "$(device 2004)" |
		record prof.hwts "$DEVICE/hwts.data.0.slice_0"
}

# Device 1, with the data of device 0.
second_device() {
	local file

	cp -r "$PROF/device_0" "$PROF/device_1"
	for file in "$PROF"/device_1/*.0; do mv "$file" "${file%.0}.1"; done
	for file in "$PROF"/device_1/data/*.data.0.slice_0*; do mv "$file" "${file/.data.0./.data.1.}"; done
}

@test "older chips: curves of a device are processes from 20 on in an order of their own, then comes the overlap" {
	older
	record prof.npu_mem "$DEVICE/npu_mem.data.0.slice_0" <<<"event=1 stamp_us=256 ddr_bytes=2560 hbm_bytes=1024"
	record prof.npu_module_mem "$DEVICE/npu_module_mem.data.0.slice_0" <<-END
		module_id=3 stamp=$(host 10) total_bytes=9223372036854775807
		module_id=3 stamp=$(host 20) total_bytes=4096
		module_id=999 stamp=$(host 30) total_bytes=0
	END
	printf 'stamp_us=1000 count=8192 type=%s master_id=4294967295\n' 0 1 | record prof.ddr "$DEVICE/ddr.data.0.slice_0"
	printf 'stamp=1000001%s000000 tx_p_min=1 tx_p_max=3 tx_latency_avg=5%s\n' 0 1 1 2 | record prof.pcie "$DEVICE/pcie.data.0.slice_0"
	expect 0 export timeline -dir "$PROF"
	expect 0 export summary -dir "$PROF"
	trace=$(echo "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)
	equal "$(jq -r '.[] | select(.name == "process_name" and .pid % 1024 >= 512) | "\(.pid % 1024 / 32 | floor) \(.args.name)"' "$trace" | sort)" \
		$'20 DDR\n21 PCIe\n22 NPU MEM\n23 Overlap Analysis'
	equal "$(jq -r '.[] | select(.name == "process_sort_index" and .pid % 1024 >= 512) | "\(.pid % 1024 / 32 | floor) \(.args.sort_index)"' "$trace" | sort)" \
		$'20 20\n21 21\n22 22\n23 23'
	# MB in place of bytes, and each reading twice
	rate=$(query "SELECT CAST(read_mbs AS INTEGER) FROM ddr_rate")
	equal "$(jq -r '.[] | select(.ph == "C" and (.name | startswith("DDR"))) | .name' "$trace" | sort | uniq -c | tr -s ' ')" $' 2 DDR/Read\n 1 DDR/Write'
	equal "$(jq -r '.[] | select(.ph == "C" and .name == "DDR/Read") | .args["Read(MB/s)"]' "$trace" | sort -u)" "$rate"
	equal "$(rows npu_mem | cut -d, -f3-5)" 2.5,1.0,3.5
	equal "$(rows pcie | grep latency | cut -d, -f5)" 0.051 # 51.5 / 1000
	equal "$(rows npu_module_mem | cut -d, -f2,4)" $'HCCL,-1\nHCCL,4.0\nother,0'
}

@test "older chips: iterations are numbered from the program on; what was not recorded is N/A; the host's processes are named for each device" {
	older
	record prof.ts_step "$DEVICE/ts_track.data.0.slice_0" <<-END
		counter=$(device 3000) index_id=1 model_id=4 tag_id=0
		counter=$(device 3010) index_id=1 model_id=4 tag_id=2
		counter=$(device 3020) index_id=1 model_id=4 tag_id=3
		counter=$(device 3050) index_id=1 model_id=4 tag_id=1
		counter=$(device 3100) index_id=1 model_id=9 tag_id=0
		counter=$(device 3140) index_id=1 model_id=9 tag_id=1
	END
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	equal "$(rows step_trace | tr -d '\t')" "0,1,1700000000003010.000,1700000000003020.000,1700000000003050.000,50.0,10.0,30.0,N/A,4
0,1,N/A,N/A,1700000000003140.000,40.0,N/A,N/A,N/A,9"
	pid=$(query "SELECT value FROM meta WHERE key = 'pid'")
	equal "$(jq -r '.[] | select(.name == "thread_sort_index") | "\(.tid) \(.args.sort_index)"' "$PROF"/mindstudio_profiler_output/step_trace_*.json)" \
		"$((pid + 70000)) 70004"$'\n'"$((pid + 70001)) 70009"
	equal "$(jq -r '.[] | select(.ph == "s") | "\(.ts) \(.id)"' "$PROF"/mindstudio_profiler_output/step_trace_*.json)" "1700000000003035.000 Data_aug Bound ${pid}_$((pid + 70000))"
	second_device
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export timeline -dir "$PROF"
	equal "$(jq '[.[] | select(.name == "process_name" and .args.name == "CANN")] | length' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" 2
}

@test "older chips: the first operator of a device waits for none, a copy says nothing of its bytes, times of the network are numbers" {
	older
	second_device
	echo 5000_701:MEMCPY_ASYNC >"$HOST/aging.additional.type_info_dic.slice_0"
	record prof.task_track "$HOST/aging.compact.task_track.slice_0" <<-END
		level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1002) device_id=1 stream_id=0 task_id=0
		level=5000 type=802 thread_id=900 data_len=24 stamp=$(host 3000) stream_id=60 task_id=1 task_type=701
	END
	record prof.memcpy_info "$HOST/aging.compact.memcpy_info.slice_0" <<<"level=5000 thread_id=900 stamp=$(host 3000) data_size=4096 max_size=4096 direction=1"
	printf 'end=0 stream_id=60 task_id=1 counter=%s sequence=1\nend=1 stream_id=60 task_id=1 counter=%s sequence=2\n' "$(device 8000)" "$(device 8004)" |
		record prof.hwts "$DEVICE/hwts.data.0.slice_1"
	sed -i 's/"CPU":/"netCard":[{"netCardName":"eth0","speed":8}],"CPU":/' "$PROF/host/info.json"
	for i in 1 2; do
		printf 'time 100%s000000000\neth0: %s 1 0 0 0 0 0 0 %s 1 0 0 0 0 0 0\n' $i $((i * 300000)) $((i * 200000))
	done >"$HOST/host_network.data.slice_0"
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	equal "$(rows op_summary | cut -d, -f1,5,11)" $'0,layer0:Op0,0\n1,layer0:Op0,0'
	trace=$(echo "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)
	equal "$(jq -c '.[] | select(.name == "MEMCPY_ASYNC") | [.args["Task Type"], (.args | has("operation", "size(B)", "bandwidth(GB/s)"))]' "$trace")" '["MEMCPY_ASYNC",false,false,false]'
	equal "$(jq -c '.[] | select(.name == "Network Usage") | .ts' "$trace" | sort -u)" 1700000001000000
}
