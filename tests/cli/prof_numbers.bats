#!/usr/bin/env bats
# prof_numbers.bats: PROF directories: numbers as the reference divides, cuts and rounds them. Python computes them from the records, as it does.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

# The database of `export db`.
made() {
	sqlite3 "$PROF"/msprof_*.db "$1"
}

# events FILTER: of the trace
events() {
	jq -r ".[] | select($1)" "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json
}

# chip N: another chip's directory
chip() {
	sed -i "s/\"platform_version\":\"5\"/\"platform_version\":\"$1\"/" "$PROF/device_0/info.json.0"
}

# task STREAM TASK START END: counts of the device after its start
task() {
	printf 'end=%s stream_id='"$1"' task_id='"$2"' counter=%s\n' 0 $((50000000000 + $3)) 1 $((50000000000 + $4))
}

@test "a clock without whole ns: moments are cut, durations are ticks and cut at last" {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	for mhz in 38.4 48.000000 49.997; do
		sed -i "s/\"hwts_frequency\":\"[^\"]*\"/\"hwts_frequency\":\"$mhz\"/" "$PROF/device_0/info.json.0"
		{
			task 0 0 100000 100200
			task 1 0 100300 100501
			task 2 0 100600 100803
		} | record prof.acsq "$DEVICE/stars_soc.data.0.slice_0"
		expect 0 export summary -dir "$PROF"
		expect 0 export db -dir "$PROF"
		expect 0 export timeline -dir "$PROF"
		# counts to ns in fractions: to whole ps first, then cut
		python3 - "$mhz" <<-'END' >"$BATS_TEST_TMPDIR/wanted"
			import sys
			from fractions import Fraction
			tick = 1000 / Fraction(sys.argv[1])
			ns = lambda count: round(count * tick * 1000) // 1000
			runs = [(100000, 100200), (100300, 100501), (100600, 100803)]
			us = lambda n: f"{n // 1000}.{n % 1000:03}"
			for a, b in runs:
			    whole = int((b - a) * tick)
			    print(f"{us(whole)} {us(1700000000000000000 + ns(a))} {us(1700000000000000000 + ns(b))} {us(ns(b) - ns(a))}", ns(a), ns(b), ns(a) + whole, round(float((b - a) * tick) / 1000, 6))
		END
		equal "$(paste -d' ' <(rows task_time | cut -d, -f6-8 | tr -d '\t' | tr , ' ') <(rows op_summary | cut -d, -f10))" "$(cut -d' ' -f1-4 "$BATS_TEST_TMPDIR/wanted")"
		equal "$(made 'SELECT startNs % 1000000000000, endNs % 1000000000000 FROM TASK ORDER BY startNs' | tr '|' ' ')" "$(cut -d' ' -f5,6 "$BATS_TEST_TMPDIR/wanted")"
		equal "$(made 'SELECT endNs % 1000000000000 FROM OVERLAP_ANALYSIS WHERE type = 0 ORDER BY startNs')" "$(cut -d' ' -f7 "$BATS_TEST_TMPDIR/wanted")"
		equal "$(events '.args | has("Task Type")?' | jq -r '.dur' | awk '{printf "%.6f\n", $1}')" "$(awk '{printf "%.6f\n", $8}' "$BATS_TEST_TMPDIR/wanted")"
		# half up
		equal "$(rows op_statistic | cut -d, -f2,5 | sort | cut -d, -f2 | xargs printf '%.3f\n')" "$(awk '{printf "%.3f\n", $8 + 1e-9}' "$BATS_TEST_TMPDIR/wanted")"
		discard "$PROF/mindstudio_profiler_output" "$PROF"/msprof_*.db "$PROF/sqlite"
		rm "$DEVICE/stars_soc.data.0.slice_0"
	done
}

@test "before its start a clock's moments are cut to the whole ns before, too; the frequency is by the same clock" {
	sed -i 's/"hwts_frequency":"[^"]*"/"hwts_frequency":"38.4"/' "$PROF/device_0/info.json.0"
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	task 0 0 -100 100000 | record prof.acsq "$DEVICE/stars_soc.data.0.slice_0"
	record prof.freq "$DEVICE/lpmFreqConv.data.0.slice_0" <<<"points=1 entries=u64:$((50000000000 + 100010)),1600"
	expect 0 export db -dir "$PROF"
	equal "$(query 'SELECT start_ns, dur_ns FROM task WHERE start_ns IS NOT NULL')" "999999997395|$((1000002604166 - 999999997395))" # 2604.17 ns before
	equal "$(made 'SELECT timestampNs FROM AICORE_FREQ WHERE freq = 1600 ORDER BY 1 LIMIT 1')" 1700000000002604427
}

@test "a change of frequency is told twice, the device's start once where it is no double" {
	record prof.freq "$DEVICE/lpmFreqConv.data.0.slice_0" <<<"points=1 entries=u64:$((576460752303424265 + 100010)),1600"
	echo $'clock_monotonic_raw:1000000000000\ncntvct:576460752303424265' >"$PROF/device_0/dev_start.log.0"
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	expect 0 export db -dir "$PROF"
	equal "$(made 'SELECT timestampNs - 1700000000000000000, freq FROM AICORE_FREQ WHERE timestampNs < 1700000000100000000 ORDER BY 1')" $'0|1850\n0|1850\n2000200|1600\n2000200|1600'
}

@test "traffic between dies is divided by ticks as doubles" {
	sed -i 's/"hwts_frequency":"[^"]*"/"hwts_frequency":"48.000000"/' "$PROF/device_0/info.json.0"
	printf 'counter=%s acc_id=0 req_rx=63491 dat_tx=8\n' $((50000000000 + 100013)) $((50000000000 + 100237)) | record prof.sio "$DEVICE/stars_soc_profile.data.0.slice_0"
	expect 0 export db -dir "$PROF"
	wanted=$(python3 -c 't = lambda c: float(c) / 48e6 * 1e9 + 1e12 / 1e9 * 1e9; print(repr(63491 * (1e9 / 1048576) / (t(100237) - t(100013)) * 1048576))')
	equal "$(made "SELECT rxReq = $wanted, timestampNs - 1700000000000000000 FROM SIO")" "1|2088270"
}

@test "chips without stars have none of its samples; older chips with stars number its layers" {
	printf 'counter=%s acc_id=3 write_bandwidth=11 read_bandwidth=12\n' "$(device 10)" | record prof.acc_pmu "$DEVICE/stars_soc_profile.data.0.slice_0"
	record prof.inter_soc "$DEVICE/stars_soc_profile.data.0.slice_0" <<<"counter=$(device 10) mata_level=2 buffer_level=7"
	printf 'counter=%s acc_id=0 req_rx=5\n' "$(device 10)" "$(device 20)" | record prof.sio "$DEVICE/stars_soc_profile.data.0.slice_0"
	record prof.low_power "$DEVICE/stars_soc_profile.data.0.slice_0" <<<"counter=$(device 11) die_id=1 samples=u32:0,0,0,0,0,$((1234 << 16)),0,0,0,0"
	chip 7
	expect 0 export timeline -dir "$PROF"
	equal "$(events '.name == "process_name" and .pid % 32 == 0 and .pid % 1024 >= 640' | jq -r '"\(.pid % 1024 / 32) \(.args.name)"' | sort)" \
		$'20 Stars Soc Info\n21 Acc PMU\n22 SIO\n23 Overlap Analysis'
	equal "$(events '.name == "AI Core Freq Die 1"' | jq -r '"\(.pid % 1024 / 32) \(.tid) \(.ts) \(.args.value)"')" "15 1 1700000000000011.000 1234"
	equal "$(events '.name == "process_name" and .args.name == "AI Core Freq"' | jq -r .tid | sort -u)" $'0\n1'
	sed -i 's/"platform_version":"7"/"platform_version":"2"/' "$PROF/device_0/info.json.0"
	rm "$DEVICE"/stars_soc.data* "$DEVICE"/ffts_profile*
	discard "$PROF/mindstudio_profiler_output" "$PROF/sqlite"
	expect 0 export timeline -dir "$PROF"
	expect 0 export db -dir "$PROF"
	equal "$(events '.name | test("bandwidth|Level|rx$|Die")' | jq -r .name)" ""
	equal "$(made "SELECT name FROM sqlite_schema WHERE name IN ('ACC_PMU', 'SOC_BANDWIDTH_LEVEL', 'SIO')")" ""
}

@test "older chips: KB have three decimals, HBM is at doubles of microseconds" {
	chip 7
	record prof.npu_mem "$DEVICE/npu_mem.data.0.slice_0" <<<"event=0 stamp_us=256 ddr_bytes=1025 hbm_bytes=1026"
	record prof.npu_module_mem "$DEVICE/npu_module_mem.data.0.slice_0" <<<"module_id=3 stamp=$(host 10) total_bytes=4097"
	sed -i 's/"llc_profiling"/"hbm_profiling_events":"read","llc_profiling"/; s/{}/{"hbm_profiling_events":"read"}/' "$PROF/device_0/sample.json"
	for stamp in 100120 100240; do printf "stamp_us=$stamp type=0 hbm_id=%d count=9\n" 0 1 2 3; done | record prof.hbm "$DEVICE/hbm.data.0.slice_0"
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	equal "$(rows npu_mem | cut -d, -f3-5)" "$(python3 -c 'print(round(1025 / 1024, 3), round(1026 / 1024, 3), round(2051 / 1024, 3), sep=",")')"
	equal "$(rows npu_module_mem | cut -d, -f4)" "$(python3 -c 'print(round(4097 / 1024, 3))')"
	# as ns both would be 128 ns beside: half of the step of doubles there
	equal "$(events '.name == "HBM 0/Read"' | jq -r .ts)" $'1700000000100120.000\n1700000000100240.000'
}

@test "events that are chosen one by one are counts under their numbers" {
	events='0x49,0x4a,0x500,0x502'
	echo "{\"ai_core_metrics\":\"Custom:$events\",\"ai_core_profiling_events\":\"$events\",\"aiv_metrics\":\"Custom:$events\",\"aiv_profiling_events\":\"$events\"}" >"$PROF/device_0/sample.json"
	rm "$DEVICE"/ffts_profile*
	record prof.task_pmu "$DEVICE/ffts_profile.data.0.slice_0" <<<"stream_id=0 task_id=0 total_cycles=7400 pmu0=11 pmu1=22 pmu2=33 pmu3=44 begin=$(device 2001) end=$(device 2003)"
	expect 0 export summary -dir "$PROF"
	equal "$(head -1 "$PROF"/mindstudio_profiler_output/op_summary_[0-9]*.csv | sed 's/.*Context ID,//')" \
		"aicore_time(us),aic_total_cycles,aic_r49,aic_r4a,aic_r500,aic_r502,aiv_time(us),aiv_total_cycles,aiv_r49,aiv_r4a,aiv_r500,aiv_r502"
	equal "$(rows op_summary | head -1 | sed 's/.*,7400,/7400,/')" 7400,11.0,22.0,33.0,44.0,0.0,0,0.0,0.0,0.0,0.0
	expect 0 export db -dir "$PROF"
	equal "$(made "SELECT s.value, p.value FROM TASK_PMU_INFO p JOIN STRING_IDS s ON s.id = name WHERE s.value LIKE 'aic_r%'")" $'aic_r49|11\naic_r4a|22\naic_r500|33\naic_r502|44'
}

@test "a mark with an empty text has one; cores that were sampled have a process" {
	record prof.msproftx "$HOST/unaging.additional.msproftx.slice_0" <<<"level=20500 process_id=4242 tid=7 event_type=1 begin=$(host 30) end=$(host 34) message=text:"
	sed -i 's/{/{"ai_core_profiling_mode":"sample-based",/' "$PROF/device_0/sample.json"
	rm "$DEVICE"/ffts_profile*
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	equal "$(rows msprof_tx | cut -d, -f11)" ""
	equal "$(events '.args.event_type? == "push/pop"' | jq -c '[.name, .dur]')" '["",4]'
	equal "$(events '.args.name? == "AI Core Utilization"' | jq -r '.pid % 1024 / 32')" 20
}
