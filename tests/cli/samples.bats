#!/usr/bin/env bats
# samples.bats: samples with layouts selected by control files: of cores, and of memories of version 2.0. No data of a device exists.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

# The same two samples of memory and cache of both versions, as SECOND and FIRST of microseconds.
@test "hbm and llc of version 2.0: other records, the same rates" {
	sed -i 's/"version":"1.0"/"version":"2.0"/' "$PROF/device_0/info.json.0"
	for stamp in 1700000000001000000 1700000000001500000; do
		for event in 0=8192 1=8192 2=50 19=0 32=100 34=0 52=0 54=0; do
			echo "stamp_ns=$stamp count=${event#*=} event=${event%=*} l3t_id=1"
		done
		for type in 0 1; do
			for channel in 2 3; do
				echo "stamp_ns=$stamp count=$((32768 << type)) type=$type hbm_id=$channel" >&2
			done
		done
	done >"$BATS_TEST_TMPDIR/records" 2>"$BATS_TEST_TMPDIR/memory"
	record prof.hbm_v2 "$DEVICE/hbm.data.0.slice_0" <"$BATS_TEST_TMPDIR/memory"
	record prof.llc_v2 "$DEVICE/llc.data.0.slice_0" <"$BATS_TEST_TMPDIR/records"
	record prof.npu_mem_v2 "$DEVICE/npu_mem.data.0.slice_0" <<<"event=1 stamp_us=30 ddr_bytes=2048 hbm_bytes=1024"
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc', 'npu_mem') ORDER BY 1")" $'prof.hbm_v2\nprof.llc_v2\nprof.npu_mem_v2'
	equal "$(rows hbm)" $'0,Average,1000.000,2000.000\n0,2,1000.0,2000.0\n0,3,1000.0,2000.0'
	equal "$(rows llc_read_write)" $'0,read,Average,50.0,64000.0\n0,read,1,50.0,64000.0'
	equal "$(query 'SELECT time_ns - host_monotonic_ns FROM hbm_rate JOIN device USING (device_id) WHERE type = 0; SELECT time_ns - host_monotonic_ns FROM llc_rate JOIN device USING (device_id)
		UNION ALL SELECT time_ns - host_monotonic_ns FROM npu_mem_sample JOIN device USING (device_id)')" $'1000000\n1000000\n1500000\n1500000\n1000000\n1500000\n30000'
	equal "$(query "SELECT text FROM note WHERE text LIKE '%version%'")" ""
	expect 0 check -dir "$PROF"
	has "$output" "prof.hbm_v2" "prof.llc_v2"
	# cut short: whole records stay, the rest is damage
	truncate -s 80 "$DEVICE/hbm.data.0.slice_0"
	expect 3 import -dir "$PROF"
	accounted
	equal "$(query "SELECT records, damaged_bytes FROM source WHERE target = 'hbm'; SELECT reason FROM damage")" \
		$'2|16\nrecord cut short by the end of the file'
}

@test "an info file that is cut, or says nothing or nonsense of its version, is one of version 1.0" {
	for version in '' '"version":2.0,' '"version":["2.0"],' '"version":"2.00000000000000000000000000000000000000",' '"more":{"version":"2.0"},'; do
		discard "$PROF"
		"$BUILD/tests/genprof" --out "$PROF" --samples
		sed -i "s/\"version\":\"1.0\",/$version/" "$PROF/device_0/info.json.0"
		expect 0 import -dir "$PROF"
		equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'prof.hbm\nprof.llc'
	done
	sed -i 's/.$//' "$PROF/device_0/info.json.0"
	expect 3 import -dir "$PROF"
	equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'prof.hbm\nprof.llc'
}

@test "JOB directories, too: hbm and llc of version 2.0" {
	JOB=$BATS_TEST_TMPDIR/JOBMADE DB=$BATS_TEST_TMPDIR/JOBMADE/sqlite/msprof.db
	python3 "$HELPERS/ascend2022.py" "$JOB" tasks=1 extra=1
	expect 0 import -dir "$JOB"
	one=$(query 'SELECT device_id, is_write, stamp_ns, mbs FROM hbm_rate; SELECT device_id, l3t_id, stamp_ns, mbs FROM llc_rate')
	python3 "$HELPERS/ascend2022.py" "$JOB.2" tasks=1 extra=1 version=2.0
	DB=$JOB.2/sqlite/msprof.db
	expect 0 import -dir "$JOB.2"
	equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'ascend2022.hbm_v2\nascend2022.llc_v2'
	equal "$(query 'SELECT device_id, is_write, stamp_ns, mbs FROM hbm_rate; SELECT device_id, l3t_id, stamp_ns, mbs FROM llc_rate')" "$one"
	# no info file of the device, but a file for all devices
	mv "$JOB.2/info.json.0" "$JOB.2/info.json"
	expect 0 import -dir "$JOB.2"
	equal "$(query "SELECT DISTINCT layout FROM source WHERE target IN ('hbm', 'llc') ORDER BY 1")" $'ascend2022.hbm_v2\nascend2022.llc_v2'
}

# sampled PREFIX: the device counts the cores by samples from now on
sampled() {
	sed -i "s/{/{\"$1_profiling_mode\":\"sample-based\",/" "$PROF/device_0/sample.json"
}

# 1850 cycles are a microsecond. The second of two samples has one valid counter less.
@test "samples of the cores: sums, ratios and bandwidths of each, and their mean" {
	sampled ai_core
	rm "$DEVICE"/ffts_profile*
	record prof.aicore_sample "$DEVICE/aicore.data.0.slice_0" <<-END
		mode=1 core=0 counters=8 total_cycles=1850000 pmu0=185000 pmu1=185000 pmu2=37000 pmu6=100 pmu7=25 counter=$(device 1000)
		mode=1 core=3 counters=8 total_cycles=925000 pmu0=92500 counter=$(device 1000)
		mode=1 core=0 counters=7 total_cycles=1850000 pmu0=555000 pmu2=37000 pmu6=100 pmu7=999 counter=$(device 2000)
	END
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(query "SELECT layout, records FROM source WHERE target = 'aicore_sample'; SELECT core, counters, total_cycles, pmu7, time_ns FROM aicore_sample")" \
		$'prof.aicore_sample|3\n0|8|1850000|25|1000001000000\n3|8|925000|0|1000001000000\n0|7|1850000|999|1000002000000'
	equal "$(head -1 "$PROF"/mindstudio_profiler_output/ai_core_utilization_*.csv)" \
		"Device_id,Core ID,aicore_time(us),total_cycles,mac_time(us),mac_ratio,scalar_time(us),scalar_ratio,mte1_time(us),mte1_ratio,mte2_time(us),mte2_ratio,fixpipe_time(us),fixpipe_ratio,icache_miss_rate"
	equal "$(rows ai_core_utilization)" \
'0,0,2000.0,3700000,500.0,0.25,40.0,0.02,0.0,0.0,0.0,0.0,0.0,0.0,0.125
0,3,500.0,925000,50.0,0.1,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0
0,Average,1250.0,2312500,275.0,0.175,20.0,0.01,0.0,0.0,0.0,0.0,0.0,0.0,0.063'
	[ -z "$(compgen -G "$PROF/mindstudio_profiler_output/ai_vector_core_utilization_*")" ]
	# tasks have no counters then
	lacks "$(head -1 "$PROF"/mindstudio_profiler_output/op_summary_*.csv)" "aic_mac" "cube_utilization"
	expect 0 check -dir "$PROF"
	has "$output" "prof.aicore_sample"
	discard "$PROF/mindstudio_profiler_output"
	# counters without cycles have no ratio; the largest numbers overflow nothing
	record prof.aicore_sample "$DEVICE/aicore.data.0.slice_0" <<-END
		core=255 counters=255 total_cycles=0 pmu0=1
		core=7 counters=8 total_cycles=18446744073709551615 pmu0=18446744073709551615
		core=7 counters=8 total_cycles=18446744073709551615 pmu0=18446744073709551615
	END
	expect 0 export summary -dir "$PROF"
	accounted
	has "$(rows ai_core_utilization)" "0,7,9971213012815974.0,9223372036854775807," "0,255,0.0,0,0.0,0.0,"
	truncate -s -50 "$DEVICE/aicore.data.0.slice_0"
	expect 3 import -dir "$PROF"
	accounted
	equal "$(query "SELECT records, damaged_bytes FROM source WHERE target = 'aicore_sample'")" "5|46"
}

@test "samples of the vector cores, and of chips of version 6, by the mode of each" {
	sampled aiv
	sed -i 's/"platform_version":"5"/"platform_version":"15"/; s/"aiv_profiling_events":"[^"]*"/"aiv_profiling_events":"0x8,0x15"/; s/"aiv_metrics":"[^"]*"/"aiv_metrics":"Custom:0x8,0x15"/' "$PROF/device_0"/*.json*
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	record prof.v6_aiv_sample "$DEVICE/aiVectorCore.data.0.slice_0" <<<"core=2 counters=10 total_cycles=1850000 pmu0=185000 pmu1=8388608 pmu9=4 counter=$(device 1000)"
	record prof.aicore "$DEVICE/aicore.data.0.slice_0" <<<"stream_id=0 task_id=0 total_cycles=7400 pmu0=1000"
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(query "SELECT target, records, record_bytes FROM source WHERE layout IN ('prof.v6_aiv_sample', 'prof.aicore') ORDER BY 1; SELECT pmu9, core FROM aiv_sample")" \
		$'aiv_sample|1|112\npmu|1|128\n4|2'
	equal "$(head -1 "$PROF"/mindstudio_profiler_output/ai_vector_core_utilization_*.csv)" \
		"Device_id,Core ID,aiv_time(us),total_cycles,vec_time(us),vec_ratio,ub_read_bw(GB/s)"
	# 8388608 accesses of 1024 are a GB of 2^33, in 1 ms
	equal "$(rows ai_vector_core_utilization)" $'0,2,1000.0,1850000,100.0,0.1,1000.0\n0,Average,1000.0,1850000,100.0,0.1,1000.0'
	# the events of version 6 have numbers of their own; vec_resc_cflt_ratio is to the event 0x502
	sed -i 's/"aiv_metrics":"[^"]*"/"aiv_metrics":"ResourceConflictRatio"/; s/"aiv_profiling_events":"[^"]*"/"aiv_profiling_events":"0x540,0x556,0x502,0x528"/' "$PROF/device_0"/*.json*
	rm "$DEVICE/aiVectorCore.data.0.slice_0"
	record prof.v6_aiv_sample "$DEVICE/aiVectorCore.data.0.slice_0" <<<"core=2 counters=10 total_cycles=1850000 pmu0=18500 pmu1=166500 pmu2=4000 pmu3=1000 counter=$(device 1000)"
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export summary -dir "$PROF"
	equal "$(tail -n +2 "$PROF"/mindstudio_profiler_output/ai_vector_core_utilization_*.csv | head -1)" "0,2,1000.0,1850000,0.1,0.25"
}

@test "JOB directories, too: samples of the cores and of the vector cores" {
	JOB=$BATS_TEST_TMPDIR/JOBMADE DB=$BATS_TEST_TMPDIR/JOBMADE/sqlite/msprof.db
	python3 "$HELPERS/ascend2022.py" "$JOB" tasks=0 calls=0 samples=1
	expect 0 export summary -dir "$JOB"
	equal "$(query "SELECT layout, records, record_bytes FROM source WHERE layout LIKE '%sample' ORDER BY 1")" \
		$'ascend2022.aicore_sample|4|384\nascend2022.aiv_sample|1|96'
	# two samples of each of two cores; 300 MHz
	equal "$(tr -d '\r' <"$JOB/summary/ai_core_utilization_0_1.csv")" \
'Core ID,aicore_time(us),total_cycles,vec_time(us),vec_ratio,mac_time(us),mac_ratio,scalar_time(us),scalar_ratio,mte1_time(us),mte1_ratio,mte2_time(us),mte2_ratio,mte3_time(us),mte3_ratio,icache_miss_rate
0,100.0,30000,6.666667,0.066667,13.333333,0.133333,20.0,0.2,26.666667,0.266667,33.333333,0.333333,40.0,0.4,1.142857
1,200.0,60000,6.666667,0.033333,13.333333,0.066667,20.0,0.1,26.666667,0.133333,33.333333,0.166667,40.0,0.2,1.142857
Average,150.0,45000,6.666667,0.05,13.333333,0.1,20.0,0.15,26.666667,0.2,33.333333,0.25,40.0,0.3,1.142857'
	equal "$(tr -d '\r' <"$JOB/summary/ai_vector_core_utilization_0_1.csv")" $'Core ID,aiv_time(us),total_cycles,ub_read_bw(GB/s)\n5,50.0,15000,2.384186\nAverage,50.0,15000,2.384186'
	# the other groups have the same metrics as for tasks
	for group in ArithmeticUtilization Memory MemoryL0 ResourceConflictRatio MemoryUB; do
		discard "$JOB"
		python3 "$HELPERS/ascend2022.py" "$JOB" tasks=1 metrics=$group
		expect 0 export summary -dir "$JOB"
		python3 "$HELPERS/ascend2022.py" "$JOB.$group" tasks=0 samples=1 metrics=$group
		expect 0 export summary -dir "$JOB.$group"
		made=$(python3 "$HELPERS/columns.py" "$JOB.$group/summary/ai_core_utilization_0_1.csv" 1)
		task=$(python3 "$HELPERS/columns.py" "$JOB/summary/op_summary_0_1.csv" 1 "aicore_time(us)" | grep -E 'ratio|rate|bw')
		case $group in
		# op_summary has the values of these groups in the order of the events, not of the titles: as the reference
		MemoryL0 | MemoryUB | ArithmeticUtilization)
			equal "$(grep -E 'ratio|rate|bw' <<<"$made" | cut -d= -f1)" "$(cut -d= -f1 <<<"$task")"
			equal "$(grep -E 'ratio|rate|bw' <<<"$made" | cut -d= -f2 | sort)" "$(cut -d= -f2 <<<"$task" | sort)"
			;;
		*) equal "$(grep -E 'ratio|rate|bw' <<<"$made")" "$task" ;;
		esac
		# two samples: twice the operations of the task
		[ "$group" != ArithmeticUtilization ] || has "$made" "cube_fops=81920000" "vector_fops=3264000"
	done
}
