#!/usr/bin/env bats
# prof_gen.bats: generated PROF directories: the smaller kinds of files, and bad or missing input.
# shellcheck disable=SC2034,SC2154 # query reads $DB; $stderr is set by run

load helpers

setup() {
	fresh_job
	PROF=$BATS_TEST_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$PROF" --samples
	DB=$PROF/sqlite/msprof.db
	HOST=$PROF/host/data DEVICE=$PROF/device_0/data
}

# The lines of one export, without its heading.
rows() {
	tail -n +2 "$PROF"/mindstudio_profiler_output/"$1"_*.csv
}

# track TASK,MODEL,ITERATION,TAG...: points of iterations; each lies just before the task of that number, of 6 us each.
track() {
	python3 - "$DEVICE/ts_track.data.0.slice_0" "$@" <<-'END'
		import struct, sys
		with open(sys.argv[1], "wb") as f:
		    for point in sys.argv[2:]:
		        task, model, index, tag = (int(v) for v in point.split(","))
		        ticks = 50000000000 + 100000 + task * 300 - 5
		        f.write(struct.pack("<BBHIQQQHHHH", 0, 10, 40, 0, ticks, index, model, 0, 0, tag, 0))
	END
	echo "filesize:$((40 * $#))" >"$DEVICE/ts_track.data.0.slice_0.done"
}

# Each file's bytes are those of its rows of source, one for each layout that shares the file.
accounted() {
	equal "$(query "SELECT file FROM source WHERE state = 'raw' GROUP BY file
		HAVING max(size) <> sum(record_bytes + blank_bytes + damaged_bytes)")" ""
}

@test "every record is understood and every task joined" {
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*), count(launch_ns), count(op_name), count(aic_cycles), count(connection_id) FROM task')" "40|40|40|40|40"
	accounted
	equal "$(query 'SELECT count(*) FROM note')" 0
	equal "$(query 'SELECT name, type, task_type FROM tasks ORDER BY id LIMIT 1')" "layer0:Op0|Op0|AI_CORE"
	equal "$(query 'SELECT DISTINCT name FROM api_calls WHERE level = "runtime"')" KernelLaunch
}

@test "memory, caches, links and steps have their reports" {
	expect 0 export summary -dir "$PROF"
	# the first of ten samples has no rate; times of the day are doubles. The last sample of PCIe counts, in units of 1000000 / 1048576
	rate=$(python3 -c 'print(round(sum(1e9 / (float(10**9 * 1700000000 + k * 10**6) - float(10**9 * 1700000000 + (k - 1) * 10**6)) for k in range(1, 10)) / 10, 6))')
	equal "$(rows hbm)" "$(awk -v rate="$rate" 'BEGIN {printf "0,Average,%.3f,%.3f\n0,0,%.3f,%.3f\n0,1,%.3f,%.3f", 1.5 * rate, 2 * rate, rate, 2 * rate, 2 * rate, 2 * rate}')"
	equal "$(rows pcie | head -1)" "0,Tx_p_avg(MB/s),4.768,47.684,39.101"
	equal "$(rows npu_mem | tr -d '\t')" $'0,APP,2,1,3,1700000000000001.024\n0,Device,0,1024,1024,1700000000000002.048'
	equal "$(rows npu_module_mem | tr -d '\t')" "0,RUNTIME,1700000000000001.000,4,NPU:0"
	equal "$(rows step_trace | tail -1 | tr -d '\t')" "0,2,1700000000000120.000,1700000000000140.000,1700000000000160.000,60.000,20.000,20.000,40.000,1"
	equal "$(rows fusion_op)" "host,N/A,4294967295,layer0:Op0,N/A,1.0,2.0,0.0,0.0,3.0"
	equal "$(rows llc_read_write | head -1)" "0,read,Average,175.0,9000.0"
}

@test "--frequency is that of the cores from the beginning, with or without an info file" {
	expect 0 import -dir "$PROF" --frequency 600
	has "$stderr" "msprof: assumed: device 0: the core frequency of 600 MHz is that of --frequency"
	equal "$(query 'SELECT mhz FROM core_frequency ORDER BY rowid LIMIT 1')" 600
	discard "$PROF/device_0/info.json.0" "$PROF/sqlite"
	expect 3 show -dir "$PROF" --frequency 600 --format json
	has "$output" '"Frequency(MHz)": 600' "info.json.0 is missing or has no hwts_frequency"
}

@test "a directory of several jobs may hold several generations" {
	mkdir "$BATS_TEST_TMPDIR/all"
	mv "$PROF" "$JOB" "$BATS_TEST_TMPDIR/all/"
	expect 0 import -dir "$BATS_TEST_TMPDIR/all"
	[ -s "$BATS_TEST_TMPDIR/all/${PROF##*/}/sqlite/msprof.db" ]
	[ -s "$BATS_TEST_TMPDIR/all/${JOB##*/}/sqlite/msprof.db" ]
}

@test "a host without devices and a device without its host: all that is known" {
	mv "$PROF/device_0" "$BATS_TEST_TMPDIR/device_0"
	expect 3 export summary -dir "$PROF"
	has "$stderr" "no device data was found, and 40 tasks were launched"
	equal "$(query 'SELECT count(*), count(start_ns), count(op_name) FROM task')" "40|0|40"
	equal "$(rows api_statistic | wc -l | tr -d ' ')" 12
	for words in "show $PROF" "export db $PROF" "--export=on --type=db --output=$PROF"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 3 $words
		has "$stderr" "no device data was found, and 40 tasks were launched"
	done
	expect 3 check -dir "$PROF"
	has "$output" "40 tasks were launched and did not run" "the directory has no device_N"
	mv "$BATS_TEST_TMPDIR/device_0" "$PROF/device_0"
	discard "$PROF/host" "$PROF/mindstudio_profiler_output" "$PROF/sqlite"
	expect 0 export summary -dir "$PROF"
	equal "$(query 'SELECT count(*), count(start_ns), count(op_name) FROM task')" "40|40|0"
	equal "$(rows task_time | wc -l | tr -d ' ')" 40
}

@test "control files that are missing, damaged or absurd are named; nothing else is lost" {
	rm "$PROF/host/start_info" "$PROF/device_0/dev_start.log.0" "$PROF/host/host_start.log"
	expect 0 import -dir "$PROF"
	has "$(query 'SELECT text FROM note')" "host/start_info is missing" "host/host_start.log is missing" "no dev_start.log with cntvct"
	equal "$(query 'SELECT count(*), count(start_ns) FROM task')" "40|40"
	echo '{"DeviceInfo": nonsense' >"$PROF/device_0/info.json.0"
	printf 'clock_monotonic_raw:99999999999999999999\ncntvct:-5\n' >"$PROF/device_0/dev_start.log.0"
	expect 3 import -dir "$PROF"
	has "$(query 'SELECT file || reason FROM damage')" "device_0/info.json.0not a JSON object"
	equal "$(query 'SELECT count(start_ns) FROM task')" 40
	expect 3 export timeline -dir "$PROF"
}

@test "names that no dictionary has, and kinds that nobody knows, are numbers, and check says so" {
	rm "$HOST"/*hash_dic* "$HOST"/*type_info_dic*
	sed -i 's/"platform_version":"5"/"platform_version":"77"/' "$PROF/device_0/info.json.0"
	sed -i 's/0x416/0xeee/' "$PROF/device_0/sample.json"
	printf '\377\377\377\377' | dd of="$HOST/unaging.compact.node_basic_info.slice_0" bs=1 seek=32 conv=notrunc status=none
	expect 0 export summary -dir "$PROF"
	has "$(rows op_summary | head -1)" ,8000000000000000001,17000000000000000001, ,4294967295,
	has "$(rows api_statistic)" host,acl,327681,
	expect 0 check -dir "$PROF"
	has "$output" "chip 77 is not known" "event 0xeee of core aic is not known" "are in no hash_dic" "types of calls are in no type_info_dic" \
		"1 types of launched tasks are in no type_info_dic" \
		"1 task types of nodes are not known"
}

@test "hashes with two names take the first, and are named" {
	echo "8000000000000000001:another" >>"$HOST/unaging.additional.hash_dic.slice_0"
	expect 0 import -dir "$PROF"
	equal "$(query "SELECT text FROM note WHERE text LIKE '%more than one%'")" "hashes with more than one name: 1; the first one of each counts"
	equal "$(query 'SELECT name FROM tasks ORDER BY id LIMIT 1')" layer0:Op0
}

@test "raw files cut anywhere lose the rest of a record only, and never end the import" {
	file=$DEVICE/stars_soc.data.0.slice_0
	size=$(stat -c %s "$file")
	for cut in 1 37 64 100 "$((size - 1))"; do
		cp "$file" "$BATS_TEST_TMPDIR/whole"
		truncate -s $((size - cut)) "$file"
		expect 3 import -dir "$PROF"
		equal "$(query "SELECT records FROM source WHERE target = 'stars_log'")" $(((size - cut) / 64))
		cp "$BATS_TEST_TMPDIR/whole" "$file"
	done
	dd if=/dev/urandom of="$file" bs=1 seek=640 count=100 conv=notrunc status=none
	expect 3 export timeline -dir "$PROF"
	has "$(query "SELECT reason FROM damage")" "no record begins here"
	accounted
}

@test "slices are read in order of their numbers, and records across two of them are whole" {
	expect 0 import -dir "$PROF"
	before=$(query 'SELECT * FROM task' | sha256sum)
	for kind in "$HOST/unaging.api_event.data" "$DEVICE/stars_soc.data.0" "$DEVICE/ffts_profile.data.0"; do
		mv "$kind.slice_0" "$BATS_TEST_TMPDIR/whole"
		rm "$kind.slice_0.done"
		head -c 1000 "$BATS_TEST_TMPDIR/whole" >"$kind.slice_8"
		tail -c +1001 "$BATS_TEST_TMPDIR/whole" | head -c 333 >"$kind.slice_9"
		tail -c +1334 "$BATS_TEST_TMPDIR/whole" >"$kind.slice_10"
	done
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT * FROM task' | sha256sum)" "$before"
	equal "$(query 'SELECT count(*) FROM damage')" 0
	equal "$(query "SELECT count(*) FROM note WHERE file LIKE '%ffts_profile%slice_10' AND text LIKE '%.done%'")" 1
}

@test "records behind a hole of 2 TiB are joined as others are" {
	expect 0 import -dir "$PROF"
	before=$(query 'SELECT * FROM task' | sha256sum)
	file=$HOST/unaging.compact.task_track.slice_0
	mv "$file" "$BATS_TEST_TMPDIR/whole"
	rm "$file.done"
	truncate -s 2T "$file" || skip "no room for large files here"
	cat "$BATS_TEST_TMPDIR/whole" >>"$file"
	ulimit -t 20 # seconds of a processor; to read the hole takes 70
	expect 3 import -dir "$PROF"
	equal "$(query 'SELECT * FROM task' | sha256sum)" "$before"
	accounted
}

@test "calls that were not written in order of their start are numbered in it" {
	python3 - "$HOST/unaging.api_event.data.slice_0" <<'END'
import sys
data = open(sys.argv[1], "rb").read()
records = [data[i:i + 40] for i in range(0, len(data), 40)]
open(sys.argv[1], "wb").write(b"".join(reversed(records)))
END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*) FROM api a JOIN api b ON b.connection_id = a.connection_id + 1 WHERE b.start_ns < a.start_ns')" 0
	equal "$(query 'SELECT min(connection_id), max(connection_id), count(op_name) FROM task')" "2|119|40"
}

@test "tasks are in order of their start, whatever the order of their records" {
	expect 0 import -dir "$PROF"
	before=$(query 'SELECT task.start_ns, wait_ns, name, (SELECT group_concat(start_ns || free_ns) FROM overlap) FROM task JOIN tasks USING (id) ORDER BY id')
	python3 - "$DEVICE/stars_soc.data.0.slice_0" <<'END'
import sys
data = open(sys.argv[1], "rb").read()
tasks = [data[i:i + 128] for i in range(0, len(data), 128)]
open(sys.argv[1], "wb").write(b"".join(reversed(tasks)))
END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT task.start_ns, wait_ns, name, (SELECT group_concat(start_ns || free_ns) FROM overlap) FROM task JOIN tasks USING (id) ORDER BY id')" "$before"
}

@test "task ids that begin again after a flip are told apart by their batch" {
	python3 - "$DEVICE" "$HOST" <<'END'
import struct, sys
# tasks 20.. of the file become 0.. of stream 0 again, in the batch that a flip began
def edit(path, size, offsets):
    data = bytearray(open(path, "rb").read())
    for i in range(len(data) // size):
        for offset, value in offsets(i):
            struct.pack_into("<H", data, i * size + offset, value)
    open(path, "wb").write(data)
edit(sys.argv[1] + "/stars_soc.data.0.slice_0", 64, lambda i: [(4, 0), (6, i // 2 % 20)])
edit(sys.argv[1] + "/ffts_profile.data.0.slice_0", 128, lambda i: [(4, 0), (6, i % 20)])
edit(sys.argv[2] + "/unaging.compact.task_track.slice_0", 64, lambda i: [(26, 0), (28, i % 20), (30, i // 20)])
ticks = 50000000000 + 100000 + 20 * 300 - 5
open(sys.argv[1] + "/ts_track.data.0.slice_1", "wb").write(struct.pack("<BBHIQHHHH16x", 0, 14, 40, 0, ticks, 0, 1, 0, 0))
END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT batch_id, count(*), count(op_name) FROM task GROUP BY batch_id')" $'0|20|20\n1|20|20'
	equal "$(query 'SELECT name FROM tasks WHERE batch_id = 1 ORDER BY id LIMIT 1')" layer20:Op0
}

@test "kinds of files without a layout are listed" {
	echo 'made up' >"$DEVICE/made_up.data.0.slice_0"
	expect 0 check -dir "$PROF"
	has "$output" "device_0/data/made_up.data.0.slice_0" "not understood"
}

@test "query lists devices, models, iterations and ranks; the longest iterations first" {
	sed -i 's/"rank_id":-1/"jobInfo":"made","rank_id":3/' "$PROF/device_0/info.json.0"
	sed -i 's/^{/{"collectionDateBegin":"2023-11-14 22:13:20.000000",/' "$PROF/device_0/start_info.0"
	track 0,1,1,0 40,1,1,1 50,1,2,0 100,1,2,1 20,7,5,0 60,7,5,1 120,1,3,0
	expect 0 query -dir "$PROF" --format csv
	equal "$(tail -n +2 <<<"$output")" "${PROF##*/}"',made,0,device_0,2023-11-14 22:13:20.000000,1,2,"2,1",3
'"${PROF##*/}"',made,0,device_0,2023-11-14 22:13:20.000000,7,1,5,3'
	discard "$PROF/device_0" "$PROF/sqlite"
	expect 3 query -dir "$PROF" --format csv
	equal "$(tail -n +2 <<<"$output")" "${PROF##*/},N/A,host,host,N/A,N/A,N/A,N/A,-1"
}

# Tasks 0..39 of 6 us each: iteration 1 of model 1 ends before task 10, its second before task 30; 1 of model 2 before 20.
choices() {
	track 0,1,1,0 10,1,1,1 12,1,2,0 30,1,2,1 5,2,1,0 20,2,1,1
}

# The first and the last operator of task_time, and how many there are.
tasks() {
	rows task_time | cut -d, -f2 | sed -n '1p;$p' | tr '\n' ' '
	rows task_time | wc -l
}

@test "a model and its iterations are chosen: what runs in their time" {
	choices
	expect 0 export summary -dir "$PROF"
	equal "$(tasks)" "layer0:Op0 layer39:Op9 40"
	while IFS='|' read -r options want; do
		discard "$PROF/mindstudio_profiler_output"
		# shellcheck disable=SC2086 # words
		expect 0 export summary -dir "$PROF" $options
		equal "$(tasks)" "$want"
	done <<-'END'
		--model-id 1|layer0:Op0 layer9:Op9 10
		--model-id 1 --iteration-id 2|layer12:Op2 layer29:Op9 18
		--model-id 1 --iteration-count 2|layer0:Op0 layer29:Op9 30
		--model-id 2|layer5:Op5 layer19:Op9 15
		--iteration-id 2|layer12:Op2 layer29:Op9 18
	END
	equal "$(rows op_summary | wc -l)" 18
	equal "$(rows op_statistic | awk -F, '{ sum += $5 } END { print sum }')" 18
	equal "$(find "$PROF/mindstudio_profiler_output" -name 'api_statistic*')" "" # the host was ahead: its calls are in the time of the first
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export timeline -dir "$PROF" --model-id 1 --iteration-id 2
	equal "$(jq -c '[.[] | select(.args."Task Id" != null)] | length' "$PROF"/mindstudio_profiler_output/msprof_*.json)" 18
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export summary -dir "$PROF" --iteration-id 1
	equal "$(rows api_statistic | grep launch | cut -d, -f5)" 40
	expect 1 export summary -dir "$PROF" --model-id 1 --iteration-id 3
	has "$stderr" "iteration 3 of model 1 not found" "msprof query"
	expect 1 export timeline -dir "$PROF" --model-id 9
	discard "$DEVICE"/ts_track* "$PROF/sqlite" "$PROF/mindstudio_profiler_output"
	expect 1 export summary -dir "$PROF" --iteration-id 1
	has "$stderr" "this data has no iterations"
}

# layers FILE: the processes of the trace, and its arrows
layers() {
	jq -r '.[] | select(.name == "process_name") | .args.name' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sort -u | paste -sd,
	jq '[.[] | select(.cat == "HostToDevice")] | length' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json
}

@test "--reports switches layers of the trace off, their tracks and arrows too" {
	expect 0 export timeline -dir "$PROF"
	equal "$(layers)" $'AI Core Freq,Ascend Hardware,CANN,HBM,LLC,NPU MEM,Overlap Analysis,PCIe\n80'
	while IFS='|' read -r off want arrows; do
		discard "$PROF/mindstudio_profiler_output"
		echo "{\"json_process\":{$off}}" >"$BATS_TEST_TMPDIR/reports.json"
		expect 0 export timeline -dir "$PROF" --reports "$BATS_TEST_TMPDIR/reports.json"
		equal "$(layers)" "$want"$'\n'"$arrows"
	done <<-'END'
		"ascend":false,"freq":true|AI Core Freq,CANN,HBM,LLC,NPU MEM,Overlap Analysis,PCIe|0
		"cann":false,"hbm":false,"pcie":false|AI Core Freq,Ascend Hardware,LLC,NPU MEM,Overlap Analysis|0
		"overlap_analyse":false,"freq":false,"made_up":false,"npu_mem":false,"llc":false|Ascend Hardware,CANN,HBM,PCIe|80
	END
	equal "$(jq '[.[] | select(.ph == "X" and .name == "Computing")] | length' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" 0
}

@test "show leaves no directory timeline in a PROF directory" {
	expect 0 show -dir "$PROF"
	[ -d "$PROF/sqlite" ] && [ -d "$PROF/log" ]
	[ ! -e "$PROF/timeline" ]
}

@test "a part whose data/ is a link is named, and so is what a PROF directory lacks" {
	mv "$DEVICE" "$BATS_TEST_TMPDIR/elsewhere"
	ln -s "$BATS_TEST_TMPDIR/elsewhere" "$DEVICE"
	expect 1 import -dir "$PROF"
	has "$stderr" "'$PROF/device_0/data' is a link"
	rm "$DEVICE"
	discard "$HOST"
	expect 1 import -dir "$PROF"
	has "$stderr" "'$PROF' is not a complete PROF directory: it has no directory 'host/data' or 'device_N/data'"
	mkdir "$BATS_TEST_TMPDIR/none"
	expect 1 import -dir "$BATS_TEST_TMPDIR/none"
	has "$stderr" "give a JOB or PROF directory, or a directory that holds several"
}

@test "--clear removes the database of a PROF directory" {
	expect 0 export summary -dir "$PROF" --clear
	[ ! -e "$PROF/sqlite" ]
	[ -n "$(rows task_time)" ]
	expect 0 --export=on --type=db --clear=on --output="$PROF"
	[ ! -e "$PROF/sqlite" ]
	[ -s "$(echo "$PROF"/msprof_*.db)" ]
}

@test "the option form chooses, switches off and clears, too" {
	choices
	expect 0 --query=on --output="$PROF"
	has "$output" "Rank ID" "device_0"
	expect 0 --export=on --output="$PROF" --model-id=1 --iteration-id=2
	equal "$(tasks)" "layer12:Op2 layer29:Op9 18"
	[ ! -e "$(echo "$PROF"/msprof_*.db)" ] # it would have the whole job
	discard "$PROF/mindstudio_profiler_output"
	echo '{"json_process":{"ascend":false}}' >"$BATS_TEST_TMPDIR/reports.json"
	expect 0 --export=on --output="$PROF" --reports="$BATS_TEST_TMPDIR/reports.json" --clear=on
	equal "$(layers)" $'AI Core Freq,CANN,HBM,LLC,NPU MEM,Overlap Analysis,PCIe\n0'
	equal "$(tasks)" "layer0:Op0 layer39:Op9 40"
	[ ! -e "$PROF/sqlite" ]
	[ -s "$(echo "$PROF"/msprof_*.db)" ]
	expect 1 --export=on --output="$PROF" --model-id=1 --iteration-id=9
	has "$stderr" "iteration 9 of model 1 not found"
	python3 "$HELPERS/ascend2022.py" "$BATS_TEST_TMPDIR/JOBMADE" tasks=6 steps=3
	expect 0 --export=on --output="$BATS_TEST_TMPDIR/JOBMADE" --model-id=1 --iteration-id=3
	[ -f "$BATS_TEST_TMPDIR/JOBMADE/summary/op_summary_0_1_3.csv" ]
	expect 0 --export=on --output="$BATS_TEST_TMPDIR/JOBMADE"
	[ -f "$BATS_TEST_TMPDIR/JOBMADE/summary/op_summary_0_1_1.csv" ]
	equal "$(find "$BATS_TEST_TMPDIR/JOBMADE" -name 'msprof_[0-9]*.db')" '' # this generation has no such database
	expect 0 --query=on --output="$BATS_TEST_TMPDIR/JOBMADE"
	has "$output" "Top Time Iteration"
}

@test "export db holds what the tables hold" {
	expect 0 export db -dir "$PROF"
	made=("$PROF"/msprof_*.db)
	equal "$(sqlite3 "${made[0]}" 'SELECT count(*) FROM TASK')" 40
	equal "$(sqlite3 "${made[0]}" 'SELECT value FROM COMPUTE_TASK_INFO JOIN STRING_IDS ON id = opType WHERE globalTaskId = 0')" Op0
	expect 1 export db -dir "$JOB"
	has "$stderr" "has no database export"
	[ ! -e "$PROF/.msprof.db.part" ]
}

@test "events of sample.json that are no list lose nothing" {
	# shellcheck disable=SC1003 # a backslash, not a quote
	for events in 'a\"b' '0x8\",\"0x9' '0x8\\' '\n' '\u0001,,' ''; do
		printf '{"ai_core_profiling_events":"%s","aiv_profiling_events":"%s"}\n' "$events" "$events" >"$PROF/device_0/sample.json"
		expect 0 import -dir "$PROF"
		expect 0 export summary -dir "$PROF"
		equal "$(rows op_summary | wc -l | tr -d ' ')" 40
		discard "$PROF/mindstudio_profiler_output"
	done
}

@test "a call with more tensors than a text can hold loses none of its records" {
	python3 - "$HOST/unaging.additional.tensor_info.slice_0" <<'END'
import struct, sys
# within the first call of a node; each record five inputs of another size
with open(sys.argv[1], "wb") as f:
    for i in range(80000):
        tensors = b"".join(struct.pack("<11I", 0, 2, 1, i + 1, 0, 0, 0, 0, 0, 0, 0) for _ in range(5))
        f.write(struct.pack("<HHIIIQQI", 0x5a5a, 10000, 0, 4242, 236, 100000000000 + 100000 + 60, 1, 5) + tensors)
END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*) FROM tensor_info')" 80000
	# the tensors of the first 400 records become text
	equal "$(query 'SELECT input_shapes FROM tensor JOIN task ON tensor.id = tensor_id')" "\"$(python3 -c 'print(";".join(str(i // 5 + 1) for i in range(2000)))')\""
	accounted
}

@test "a stream that was destroyed begins with batch 0 again" {
	python3 - "$DEVICE" <<'END'
import struct, sys
# all tasks on stream 0, 300 ticks apart; flips before tasks 10, 20 and 30, the second one a destroyed stream
path = sys.argv[1] + "/stars_soc.data.0.slice_0"
data = bytearray(open(path, "rb").read())
for i in range(80):
    struct.pack_into("<HH", data, 64 * i + 4, 0, i // 2)
open(path, "wb").write(data)
with open(sys.argv[1] + "/ts_track.data.0.slice_1", "wb") as f:
    for task, number in ((30, 1), (10, 1), (20, 65535)):
        f.write(struct.pack("<BBHIQHHHH16x", 0, 14, 40, 0, 50000000000 + 100000 + task * 300 - 5, 0, number, 0, 0))
END
	expect 3 import -dir "$PROF"
	equal "$(query 'SELECT batch_id, min(task_id), max(task_id) FROM task WHERE start_ns IS NOT NULL GROUP BY task_id / 10')" \
		$'0|0|9\n1|10|19\n0|20|29\n1|30|39'
}

@test "frequencies hold from their times on, whatever their order in the file" {
	python3 - "$DEVICE" <<'END'
import struct, sys
at = lambda task: 50000000000 + 100000 + task * 300 - 5
points = [(at(20), 800), (at(30), 900), (at(10), 700)]
with open(sys.argv[1] + "/lpmFreqConv.data.0.slice_0", "wb") as f:
    f.write((struct.pack("<II", 3, 0) + b"".join(struct.pack("<QII", t, mhz, 0) for t, mhz in points)).ljust(888, b"\0"))
END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT frequency_mhz, count(*) FROM task GROUP BY 1 ORDER BY 1')" $'700|10\n800|10\n900|10\n1850|10'
}

@test "the model of a fused operator is that of the graph before it, also without a name" {
	python3 - "$HOST/unaging.additional.graph_id_map.slice_0" <<'END'
import struct, sys
with open(sys.argv[1], "wb") as f:
    for stamp, name in ((100000000000 - 5, 77), (100000000000 - 9, 78), (100000000000 + 1, 79)):
        f.write(struct.pack("<HHIIIQQI", 0x5a5a, 15000, 0, 4242, 12, stamp, name, 0).ljust(256, b"\0"))
END
	expect 0 export summary -dir "$PROF"
	equal "$(rows fusion_op)" "host,77,4294967295,layer0:Op0,N/A,1.0,2.0,0.0,0.0,3.0"
}

@test "a directory that cannot be written: SQLite stores all rows, and they are the same" {
	needs_mounts
	# shellcheck disable=SC2016 # for the inner shell
	run --separate-stderr private_mounts bash -c 'mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" && "$1" show --format json -dir "$2"' \
		- "$MSPROF" "$PROF"
	equal "$status" 0
	has "$stderr" "parsed for this run"
	shown=$output
	expect 0 import -dir "$PROF"
	expect 0 show --format json -dir "$PROF"
	equal "$output" "$shown"
	has "$output" layer3:Op3
}
