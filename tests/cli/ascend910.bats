#!/usr/bin/env bats
# ascend910.bats: the real capture of a training job on an Ascend 910.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	fresh_job
	needs_shared ascend910-job/JOBASCEND910REALCAPTURE
	JOB=$BATS_TEST_TMPDIR/JOBASCEND910REALCAPTURE
	cp -rp "$SHARED/ascend910-job/JOBASCEND910REALCAPTURE" "$JOB"
	chmod -R u+w "$JOB"
	DB=$JOB/sqlite/msprof.db
}

@test "import ends with 0 and says what it assumed" {
	expect 0 import -dir "$JOB"
	has "$stderr" info.json.1 "100 MHz" "72914 records"
	equal "$(query "SELECT count(*) FROM note WHERE kind = 'assumed'")" 2
	has "$(query "SELECT text FROM note WHERE kind = 'assumed'")" "device 1" "100 MHz" info.json.1 "not aligned with the host"
	lacks "$stderr" "device 0"
}

@test "31,462 starts and 31,385 ends make 31,385 tasks and 77 starts without an end" {
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT count(*) FROM hwts_event')" 62847
	equal "$(query 'SELECT sum(type = 0), sum(type = 1) FROM hwts_event')" "31462|31385"
	equal "$(query 'SELECT count(*) FROM tasks')" 31385
	equal "$(query 'SELECT what, count(*) FROM unpaired GROUP BY what')" "start without an end|77"
}

@test "no record is missing: the sequence numbers have no gap" {
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT sum(gaps) FROM source')" 0
	equal "$(query 'SELECT count(*) FROM sequence_gap')" 0
}

@test "a lost record is seen as a gap" {
	hwts=$(echo "$JOB"/data/hwts*)
	{ head -c $((64 * 100)) "$hwts"; tail -c +$((64 * 103 + 1)) "$hwts"; } >"$BATS_TEST_TMPDIR/cut"
	cp "$BATS_TEST_TMPDIR/cut" "$hwts"
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT offset FROM sequence_gap')" 6400
	expect 3 check -dir "$JOB"
	has "$output" "gaps: 1" 6400
}

@test "the tasks take 7,490,982 us in all, and never overlap on a stream" {
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT round(sum(dur_ns) / 1000.0) FROM tasks')" 7490982.0
	equal "$(query "SELECT count(*) FROM (SELECT start_ns, lag(start_ns + dur_ns) OVER
		(PARTITION BY stream_id ORDER BY start_ns) AS before FROM tasks) WHERE start_ns < before")" 0
	equal "$(query 'SELECT count(*) FROM tasks WHERE dur_ns < 0')" 0
}

@test "start_ns is the counter times 10" {
	expect 0 import -dir "$JOB"
	first=$(od -An -tu8 -j8 -N8 "$JOB"/data/hwts* | tr -d ' ')
	equal "$(query 'SELECT time_ns FROM hwts_event ORDER BY rowid LIMIT 1')" $((first * 10))
	equal "$(query 'SELECT count(*) FROM hwts_event WHERE time_ns <> counter * 10')" 0
}

@test "2,817 tasks have names" {
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT count(*) FROM tasks WHERE name IS NOT NULL')" 2817
	equal "$(query 'SELECT count(*) FROM task_desc')" 199
}

@test "that most tasks have no description is noted" {
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT kind, text FROM note WHERE text LIKE '%description%'")" \
		"odd|28568 of 31385 tasks have no description in the data: their names are N/A"
	expect 0 check -dir "$JOB"
	has "$output" "28568 of 31385 tasks have no description"
}

@test "hwts_frequency of an info.json gives the counter's MHz, and nothing is assumed of it; what the AI CPU tells doubts half of it" {
	echo '{"DeviceInfo":[{"id":1,"hwts_frequency":"50"}]}' >"$JOB/info.json.1"
	expect 3 import -dir "$JOB"
	has "$stderr" "AI CPU in doubt: 2934 us, and 1567 us are told, but ticks of the AI CPU take half of the time that is told, or all of it"
	equal "$(query 'SELECT counter_mhz FROM device WHERE device_id = 1')" 50
	equal "$(query 'SELECT count(*) FROM hwts_event WHERE time_ns <> counter * 20')" 0
	lacks "$stderr" "50 MHz" "100 MHz"
	equal "$(query "SELECT count(*) FROM note WHERE kind = 'assumed'")" 1
	has "$(query "SELECT value FROM meta WHERE key = 'clock'")" "system counter of the device"
}

@test "the device is that of the file names" {
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT DISTINCT device_id FROM tasks')" 1
	equal "$(query 'SELECT device_id, counter_mhz, host_realtime_ns, host_monotonic_ns FROM device')" \
		"1|100|$(tr -dc '0-9\n' <<<"$(grep clock_realtime "$JOB/host_start.log.1")")|$(
			tr -dc '0-9\n' <<<"$(grep clock_monotonic_raw "$JOB/host_start.log.1")")"
}

@test "every byte of every file is a record, blank or damage" {
	expect 0 import -dir "$JOB"
	total=$(find "$JOB/data" -type f -printf '%s\n' | awk '{ s += $1 } END { print s }')
	equal "$(query "SELECT sum(record_bytes + blank_bytes + damaged_bytes) FROM source WHERE file LIKE 'data/%'")" "$total"
	equal "$(query 'SELECT sum(damaged_bytes) FROM source')" 0
	equal "$(query "SELECT count(*) FROM source WHERE state <> 'raw' AND file LIKE 'data/%'")" 0
	equal "$(query "SELECT records FROM source WHERE file LIKE '%hwts%'")" 62847
}

@test "text and step records are in tables of their own" {
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT count(*) FROM step_trace')" $(($(stat -c %s "$JOB"/data/training_trace*) / 20))
	equal "$(query 'SELECT count(*) FROM queue_events')" "$(tr -cd '\0' <"$JOB/data/DATA_PREPROCESS.dev.TDT.1.slice_0" | wc -c)"
	equal "$(query 'SELECT count(*) FROM aicpu_events')" "$(tr -cd '\0' <"$JOB/data/DATA_PREPROCESS.dev.AICPU.1.slice_0" | wc -c)"
	equal "$(query 'SELECT count(*) FROM trace_point')" "$(wc -l <"$JOB/data/Framework.host.vm.point.1.slice_0")"
	equal "$(query 'SELECT count(*) FROM graph_desc')" 199
}

@test "the timeline is task_time_1_1.json with 31,385 events" {
	expect 0 export timeline -dir "$JOB"
	equal "$(cd "$JOB/timeline" && echo *)" "task_time_1_1.json trace.json"
	equal "$(jq '[.traceEvents[] | select(.ph == "X")] | length' "$JOB/timeline/task_time_1_1.json")" 31385
	python3 "$HELPERS/timeline.py" "$JOB"
	jq -e '.otherData.notes | any(.unpaired == "start without an end: 77")' "$JOB/timeline/task_time_1_1.json" >/dev/null
}

@test "the summary is op_statistic_1_1.csv, whose counts and times add up; data queues and step traces have a file each" {
	expect 0 export summary -dir "$JOB"
	equal "$(ls "$JOB/summary")" $'dp_1_1.csv\nop_statistic_1_1.csv\nstep_trace_1_1.csv'
	equal "$(wc -l <"$JOB/summary/dp_1_1.csv")" $((1 + $(tr -cd '\0' <"$JOB/data/DATA_PREPROCESS.dev.TDT.1.slice_0" | wc -c)))
	equal "$(sed -n 2p "$JOB/summary/dp_1_1.csv" | tr -d '\r')" \
		"$(tr '\0' '\n' <"$JOB/data/DATA_PREPROCESS.dev.TDT.1.slice_0" | sed -n '1s/\[\([0-9]*\)\] \(.*\), source:\(.*\), index:.*, size:/\1,\2,\3,/p')"
	equal "$(wc -l <"$JOB/summary/step_trace_1_1.csv")" $((1 + $(stat -c %s "$JOB"/data/training_trace*) / 20))
	equal "$(head -1 "$JOB/summary/op_statistic_1_1.csv" | tr -d '\r')" \
		"$(titles summary/ascend910/op_statistic)"
	tr -d '\r' <"$JOB/summary/op_statistic_1_1.csv" | awk -F, 'NR > 1 { n += $3; t += $4; r += $8; if ($1 == "N/A") rest = $3 }
		END { exit !(n == 31385 && rest == 31385 - 2817 && int(t + 0.5) == 7490982 && r > 99.999 && r < 100.001) }'
}

@test "check tells what there is: verified layouts, the pairs, the assumptions" {
	expect 0 check -dir "$JOB"
	has "$output" "start without an end: 77" "100 MHz" "ascend910.hwts v1" "yes"
	lacks "$output" unverified
}

@test "show says why there is no AA Core table" {
	expect 0 show -dir "$JOB"
	has "$output" "AI Core Metrics :" "not in this generation of data" "Op statistic :" UnsortedSegmentSum
}

@test "a slice cut in the middle of a record loses that record only" {
	hwts=$(echo "$JOB"/data/hwts*)
	truncate -s $((64 * 1000 + 13)) "$hwts"
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT records, damaged_bytes FROM source WHERE file LIKE '%hwts%'")" "1000|13"
}

@test "an AI CPU slice becomes the published table" {
	needs_shared ascend-aicpu
	rm "$JOB"/data/* "$JOB"/host_start.log.1
	cp "$SHARED"/ascend-aicpu/data/* "$JOB/data/"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT sum(damaged_bytes) FROM source")" 0
	python3 - "$DB" "$SHARED/ascend-aicpu/expect/output_data_preprocess_aicpu_0.txt" <<-'END'
		import re, sqlite3, sys
		db = sqlite3.connect(sys.argv[1])
		nodes = db.execute("SELECT node, run_start, run_end FROM aicpu_events WHERE node IS NOT NULL ORDER BY rowid")
		times = db.execute("SELECT total_us, dispatch_us FROM aicpu_events WHERE total_us IS NOT NULL ORDER BY rowid")
		found = [(re.sub(r".*/|-op[0-9]+$", "", n), *rest) for n, *rest in nodes]
		found = [(*node, *time) for node, time in zip(found, times, strict=True)]
		with open(sys.argv[2]) as f:
		    rows = [line.split() for line in f if line[:1].isdigit()]
		wanted = [(r[1], int(r[4]), int(r[5]), round(float(r[2]) * 1000), round(float(r[3]) * 1000)) for r in rows]
		assert wanted and found == wanted, (found, wanted)
	END
}

@test "a capture of descriptions alone lists its operators, one of the AI CPU alone has its nodes in a timeline" {
	discard "$JOB"/data/* "$JOB/host_start.log.1"
	printf '%s\n' "Default/Cast-op6 32 1 0" "Default/Odd-op9 4 2 0" >"$JOB/data/Framework.host.vm.task_desc_info.0.slice_0"
	echo 'op_name:Default/Cast-op6 op_type:Cast input_id:0 input_shape:"32,3"' >"$JOB/data/Framework.host.vm.graph_desc_info.0.slice_0"
	expect 0 export summary -dir "$JOB"
	lacks "$stderr" "no inference data"
	equal "$(ls "$JOB/summary")" op_summary_0_1.csv
	equal "$(tr -d '\r' <"$JOB/summary/op_summary_0_1.csv")" 'Task ID,Stream ID,Op Name,OP Type,Block Dim,Tensors
1,0,Default/Cast-op6,Cast,32,"0 input_shape:""32,3"""
2,0,Default/Odd-op9,N/A,4,N/A'
	discard "$JOB"/data/* "$JOB/summary" "$JOB/sqlite"
	printf '[9] Node:GetNext, Run start:100, Run end:148\0[9] Node:Cast, Run start:200, compute start:210, memcpy start:220, memcpy end:230, Run end:240\0' \
		>"$JOB/data/DATA_PREPROCESS.dev.AICPU.0.slice_0"
	expect 0 export timeline -dir "$JOB"
	equal "$(ls "$JOB/timeline")" aicpu_0_1.json
	equal "$(jq -c '[.[] | select(.ph == "X") | [.name, .ts, .dur, .args["Memcpy_end(us)"]]]' "$JOB/timeline/aicpu_0_1.json")" \
		'[["GetNext",100,48,null],["Cast",200,40,230]]'
}
