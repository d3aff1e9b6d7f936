#!/usr/bin/env bats
# prof_metrics.bats: the metrics of PROF directories by group, and the clocks of a session.
# shellcheck disable=SC2034,SC2154 # query reads $DB; $stderr is set by run

load helpers
load prof

# group NAME EVENTS: both cores count this group
group() {
	echo "{\"ai_core_metrics\":\"$1\",\"ai_core_profiling_events\":\"$2\",\"aiv_metrics\":\"$1\",\"aiv_profiling_events\":\"$2\"}" >"$PROF/device_0/sample.json"
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export summary -dir "$PROF"
}

# The titles after Context ID.
metrics() {
	head -1 "$PROF"/mindstudio_profiler_output/op_summary_[0-9]*.csv | sed 's/.*Context ID,//'
}

# The counters of the first task of 24 blocks: cycles, then pmu0 to pmu7; the core runs at 1850 MHz.
counted() {
	expect 0 import -dir "$PROF"
	query 'SELECT aic_cycles, aic_pmu0, aic_pmu1, aic_pmu2, aic_pmu3, aic_pmu4, aic_pmu5, aic_pmu6, aic_pmu7 FROM task WHERE start_ns IS NOT NULL ORDER BY id LIMIT 1'
}

@test "each core has the metrics of its units, of the group of sample.json" {
	group Memory 0x15,0x16,0x31,0x32,0xf,0x10,0x12,0x13
	equal "$(metrics | cut -d, -f1-8)" \
		"aicore_time(us),aic_total_cycles,aic_l1_read_bw(GB/s),aic_l1_write_bw(GB/s),aic_main_mem_read_bw(GB/s),aic_main_mem_write_bw(GB/s),aic_l2_read_bw(GB/s),aic_l2_write_bw(GB/s)"
	equal "$(metrics | cut -d, -f9-)" \
		"aiv_time(us),aiv_total_cycles,aiv_ub_read_bw(GB/s),aiv_ub_write_bw(GB/s),aiv_main_mem_read_bw(GB/s),aiv_main_mem_write_bw(GB/s),aiv_l2_read_bw(GB/s),aiv_l2_write_bw(GB/s)"
	# l1_write: 1024 bytes for each event of pmu3, in the time of the cycles
	equal "$(rows op_summary | head -1 | cut -d, -f25)" "$(counted | awk -F'|' '{printf "%.3f\n", $5 * 1024 / ($1 / 1850e6) / 2^33}')"
	group ArithmeticUtilization 0x49,0x4a,0x4b,0x4c,0x4d,0x4e,0x4f
	equal "$(metrics)" "aicore_time(us),aic_total_cycles,aic_mac_fp16_ratio,aic_mac_int8_ratio,aic_cube_fops,aiv_time(us),aiv_total_cycles,aiv_vec_fp32_ratio,aiv_vec_fp16_ratio,aiv_vec_int32_ratio,aiv_vec_misc_ratio,aiv_vector_fops"
	equal "$(rows op_summary | head -1 | cut -d, -f26)" "$(counted | awk -F'|' '{printf "%.1f\n", 8192 * $2 + 16384 * $3}')"
	group ResourceConflictRatio 0x64,0x65,0x66
	has "$(metrics)" "aic_total_cycles,aiv_time(us),aiv_total_cycles,aiv_vec_bankgroup_cflt_ratio"
	group PipeUtilization 0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55
	has "$(metrics)" "aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us)"
	has "$(metrics)" "aiv_total_cycles,aiv_vec_time(us)"
	has "$(metrics)" ",cube_utilization(%)"
}

@test "chips whose cores have both units: no prefix, other weights" {
	sed -i 's/"platform_version":"5"/"platform_version":"7"/' "$PROF/device_0/info.json.0"
	group Memory 0x15,0x16,0x31,0x32,0xf,0x10,0x12,0x13
	equal "$(metrics)" "aicore_time(us),total_cycles,ub_read_bw(GB/s),ub_write_bw(GB/s),l1_read_bw(GB/s),l1_write_bw(GB/s),main_mem_read_bw(GB/s),main_mem_write_bw(GB/s)"
	equal "$(rows op_summary | head -1 | cut -d, -f27)" "$(counted | awk -F'|' '{printf "%.3f\n", $5 * 2048 / ($1 / 1850e6) / 2^33}')"
}

@test "without counters there are no metrics, and a task without them has N/A" {
	rm "$DEVICE"/ffts_profile*
	expect 0 export summary -dir "$PROF"
	equal "$(head -1 "$PROF"/mindstudio_profiler_output/op_summary_[0-9]*.csv | sed 's/.*,//')" "Context ID"
	record prof.task_pmu "$DEVICE/ffts_profile.data.0.slice_0" <<<"stream_id=1 task_id=0 total_cycles=3700 pmu0=10 begin=$(device 2007) end=$(device 2008)"
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export summary -dir "$PROF"
	equal "$(rows op_summary | head -2 | cut -d, -f23)" $'N/A\n3700'
	equal "$(rows op_summary | head -2 | sed 's/.*,//')" $'N/A\n'"$(rows op_summary | sed -n '2s/.*,//p')"
}

@test "blocks: none make no time, and those of the second core are a multiple of the first's" {
	rm "$HOST"/unaging.compact.node_basic_info*
	record prof.node_basic_info "$HOST/unaging.compact.node_basic_info.slice_0" <<-END
		level=10000 thread_id=4242 data_len=40 stamp=$(host 1004) op_name=8000000000000000001 op_type=17000000000000000001 block_num=0
		level=10000 thread_id=4243 data_len=40 stamp=$(host 1010) op_name=8000000000000000002 op_type=17000000000000000001 block_num=20 mix_num=2
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT block_num, mix_num, aic_us > 0 FROM task WHERE start_ns IS NOT NULL ORDER BY id LIMIT 2')" $'0|0|0\n20|40|1'
}

@test "the host's clock was read late by cntvct_diff; without an end a session has 30 minutes" {
	expect 0 import -dir "$PROF"
	before=$(query 'SELECT min(start_ns) FROM task')
	calls=$(query 'SELECT min(start_ns) FROM api')
	for log in "$PROF"/host/host_start.log "$PROF"/device_0/host_start.log.0; do
		echo "cntvct_diff:1234" >>"$log"
	done
	rm "$PROF"/host/end_info "$PROF"/device_0/end_info.0
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT min(start_ns) FROM task')" $((before + 12340))
	equal "$(query 'SELECT min(start_ns) FROM api')" $((calls + 12340))
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT endTimeNs - startTimeNs FROM SESSION_TIME_INFO; SELECT name FROM NPU_INFO')" $'1800000000000\nAscend910B'
}

@test "without recorded changes the core has the frequency of the info file from beginning to end" {
	expect 0 export timeline -dir "$PROF"
	equal "$(jq -r '.[] | select(.name == "AI Core Freq" and .ph == "C") | "\(.ts) \(.args.MHz)"' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sort | uniq -c | tr -s ' ')" \
		$' 2 1700000000000000.000 1850\n 2 '"$(jq -r '(.collectionTimeEnd | tonumber | tostring) + ".000 1850"' "$PROF/host/end_info")"
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT freq FROM AICORE_FREQ')" $'1850\n1850'
}

@test "reports of older chips: numbers of another form, other columns and arrows, the frequency as a point each ms" {
	sed -i 's/"platform_version":"5"/"platform_version":"4"/' "$PROF/device_0/info.json.0"
	# tasks of stars are not this chip's
	expect 3 export summary -dir "$PROF"
	equal "$(find "$PROF/mindstudio_profiler_output" -name 'task_time_*')" ''
	record prof.hwts "$DEVICE/hwts.data.0.slice_0" <<-END
		end=0 stream_id=0 task_id=0 counter=$(device 2000) sequence=1
		end=1 stream_id=0 task_id=0 counter=$(device 2004) sequence=2
		end=0 stream_id=1 task_id=0 counter=$(device 2006)
		end=1 stream_id=1 task_id=0 counter=$(device 2009)
	END
	record prof.aicore "$DEVICE/aicore.data.0.slice_0" <<<"stream_id=0 task_id=0 total_cycles=7400 pmu0=740 pmu1=3700 pmu4=1480"
	group PipeUtilization 0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55
	equal "$(rows task_time | cut -d, -f6)" $'4.0\n3.0'
	# 7400 cycles of 24 blocks on 24 cores at 1850 MHz: 0.17 us; mte2 to the larger of mac and vec
	equal "$(rows op_summary | cut -d, -f10-12,20-23,34-)" $'4.0,0,24,0.17,7400,0.017,0.1,0.0,0.4,'"$(awk 'BEGIN{printf "%.3f", 100 * 7400 / (1850 * 24 * 4)}' | sed 's/0*$//')"$'\n3.0,2.0,24,N/A,N/A,N/A,N/A,N/A,N/A,N/A'
	equal "$(head -1 "$PROF"/mindstudio_profiler_output/op_summary_[0-9]*.csv | grep -cE 'Mix Block Num|Context ID')" 0
	equal "$(rows api_statistic | cut -d, -f1 | sort -u)" 0
	has "$(rows api_statistic)" ".0,"
	expect 0 export timeline -dir "$PROF"
	trace=$(echo "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)
	equal "$(jq -r '.[] | select(.cat == "HostToDevice") | "\(.id) \(.ph) \(.ts)"' "$trace" | sort)" $'1 f 1700000000002000.000\n1 s 1700000000001003.000\n2 f 1700000000002006.000\n2 s 1700000000001009.000'
	equal "$(jq -r '[.[] | select(.name == "AI Core Freq" and .ph == "C") | .ts] | .[:3][]' "$trace")" $'1700000000000000.000\n1700000000001000.0\n1700000000002000.0'
	equal "$(jq -r '.[] | select(.name == "process_sort_index" and .args.sort_index > 19) | .args.sort_index' "$trace")" 20
	# without an end the curve ends 1 us after its last point
	rm "$PROF"/host/end_info "$PROF"/device_0/end_info.0
	discard "$PROF/mindstudio_profiler_output" "$PROF/sqlite"
	expect 0 export timeline -dir "$PROF"
	equal "$(jq -r '.[] | select(.name == "AI Core Freq" and .ph == "C") | .ts' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" \
		$'1700000000000000.000\n1700000000000001.000'
}

@test "the other core of a kernel for both is counted by as many blocks as it has" {
	rm "$DEVICE"/ffts_profile* "$HOST"/unaging.compact.node_basic_info*
	record prof.node_basic_info "$HOST/unaging.compact.node_basic_info.slice_0" <<<"level=10000 thread_id=4242 data_len=40 stamp=$(host 1004) op_name=8000000000000000001 op_type=17000000000000000001 task_type=4 block_num=1 mix_num=2"
	record prof.context_id_info "$HOST/unaging.additional.context_id_info.slice_0" <<<"level=10000 thread_id=4242 data_len=232 stamp=$(host 1004) op_name=8000000000000000001 context_num=1"
	record prof.ffts_log "$DEVICE/stars_soc.data.0.slice_0" <<-END
		end=0 stream_id=0 task_id=0 context_id=0 subtask_type=6 counter=$(device 2000) ffts_type=4
		end=1 stream_id=0 task_id=0 context_id=0 subtask_type=6 counter=$(device 2004) ffts_type=4
	END
	record prof.task_pmu "$DEVICE/ffts_profile.data.0.slice_0" <<<"stream_id=0 task_id=0 context_id=0 subtask_type=6 ffts_type=4 total_cycles=3700 pmu0=10 begin=$(device 2001) end=$(device 2003)"
	record prof.block_pmu "$DEVICE/ffts_profile.data.0.slice_0" <<-END
		stream_id=0 task_id=0 context_id=0 subtask_type=6 ffts_type=4 core_type=1 total_cycles=1000 pmu0=100 begin=$(device 2001) end=$(device 2002)
		stream_id=0 task_id=0 context_id=0 subtask_type=6 ffts_type=4 core_type=0 total_cycles=5 pmu0=5 begin=$(device 2001) end=$(device 2002)
		stream_id=0 task_id=0 context_id=0 subtask_type=6 ffts_type=4 core_type=1 total_cycles=2000 pmu0=200 begin=$(device 2001) end=$(device 2003)
		stream_id=0 task_id=0 context_id=0 subtask_type=6 ffts_type=4 core_type=1 total_cycles=4000 pmu0=400 begin=$(device 2001) end=$(device 2004)
		stream_id=0 task_id=0 context_id=0 subtask_type=6 ffts_type=4 core_type=1 total_cycles=8000 pmu0=800 begin=$(device 2001) end=$(device 2005)
	END
	expect 0 import -dir "$PROF"
	# 3000 cycles of 2 blocks at 1850 MHz
	equal "$(query 'SELECT mix_num, aic_cycles, aiv_cycles, aiv_pmu0, printf("%.4f", aiv_us) FROM task WHERE aic_cycles IS NOT NULL')" "2|3700|3000|300|$(awk 'BEGIN{printf "%.4f", 3000 / 1850 / 2}')"
}

@test "a clock that is said to be read too late gives the largest time, not a negative one" {
	printf '[Host]\nclock_realtime:9223372036854775807\nclock_monotonic_raw:9223372036854775807\ncntvct:100000000000\ncntvct_diff:100000000000000000\n' |
		tee "$PROF/host/host_start.log" >"$PROF/device_0/host_start.log.0"
	run --separate-stderr "$MSPROF" import -dir "$PROF"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	equal "$(query 'SELECT host_monotonic_ns FROM device')" 9223372036854775807
}
