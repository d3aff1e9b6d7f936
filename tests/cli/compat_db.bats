#!/usr/bin/env bats
# compat_db.bats: --compat-db: the databases that other tools open beside raw data, in the units that these expect.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load prof

# of PART NAME QUERY: rows of a database of a part
of() {
	sqlite3 -readonly "$PROF/$1/sqlite/$2.db" "$3"
}

@test "calls, launches and marks have the counts of the raw records; tasks have ns" {
	record prof.msproftx "$HOST/unaging.additional.msproftx.slice_0" <<-END
		level=20500 process_id=4242 tid=7 event_type=1 category=3 begin=$(host 30) end=$(host 34) message=text:push
		level=20500 info_type=1 process_id=4242 tid=8 event_type=2 mark_id=5 begin=$(host 40) end=$(host 47) message=text:{"a"
		level=20500 info_type=1 segment=1 process_id=4242 tid=8 event_type=2 mark_id=5 begin=$(host 40) end=$(host 47) message=text::1}
	END
	record prof.capture_stream_info "$HOST/unaging.compact.capture_stream_info.slice_0" <<-END
		level=5000 device_id=0 model_id=7 original_stream_id=3 model_stream_id=36 capture_status=0 stamp=$(host 50)
	END
	expect 0 import --compat-db "$PROF"
	has "$stderr" 'databases for other tools'
	python3 - "$PROF" <<'END'
import sqlite3, struct, sys

def of(part, name, query):
    return sqlite3.connect(f"file:{sys.argv[1]}/{part}/sqlite/{name}.db?mode=ro", uri=True).execute(query).fetchall()

def raw(name, form):
    return list(struct.iter_unpack(form, open(f"{sys.argv[1]}/host/data/{name}.slice_0", "rb").read()))

calls = raw("unaging.api_event.data", "<HHIIIQQQ")
assert sorted((c[5], c[6], c[3]) for c in calls) == of("host", "api_event", "SELECT start, end, thread_id FROM ApiData ORDER BY start, end")
assert len(calls) == 120
launches = raw("unaging.compact.task_track", "<HHIIIQHHHHQQ16s")
names = dict(of("host", "ge_hash", "SELECT hash_key, hash_value FROM GeHashInfo"))
assert sorted((t[5], t[3], t[7], t[8], names[str(t[11])]) for t in launches) == of(
    "host", "runtime", "SELECT timestamp, thread_id, stream_id, task_id, kernel_name FROM HostTask ORDER BY timestamp")
node = raw("unaging.compact.node_basic_info", "<HHIIIQQIQII12s")
assert sorted(names[str(n[6])] for n in node) == sorted(t[0] for t in of("host", "ge_info", "SELECT op_name FROM TaskInfo"))
# task N of the generator begins at 2000 + 6 N us; of the host's launch comes the connection
tasks = of("device_0", "ascend_task", "SELECT start_time, stream_id, task_id, batch_id, context_id, connection_id, device_task_type FROM AscendTask ORDER BY start_time")
assert tasks == [(10**12 + (2000 + 6 * n) * 1000, n % 8, n // 8 + tasks[0][2], 0, 2**32 - 1, 3 * n + 2, "AI_CORE") for n in range(40)], tasks[:3]
END
	equal "$(of host msproftx 'SELECT * FROM MsprofTx')" "4242|7|3|push/pop|0|0|$(host 30)|$(host 34)|0|push"
	equal "$(of host msproftx 'SELECT * FROM MsprofTxEx')" "4242|8|start/end|$(host 40)|$(host 47)|5|invalid|{\"a\":1}"
	equal "$(of host stream_info 'SELECT * FROM CaptureStreamInfo')" "0|7|3|36|0|0|$(host 50)|36"
	equal "$(cd "$PROF" && stat -c '%n %s' {host,device_0}/data/all_file.complete)" $'host/data/all_file.complete 0\ndevice_0/data/all_file.complete 0'
	equal "$(cd "$PROF" && find . -name '*.part' -o -name '*.db' -perm /027)" ''
}

@test "operators join their times, shapes and counters, as the tables of the export have them" {
	expect 0 export summary --compat-db "$PROF"
	equal "$(of device_0 ai_core_op_summary "SELECT count(*), count(DISTINCT g.op_name) FROM task_time t JOIN ge_summary g ON g.stream_id = t.stream_id
		AND g.task_id = t.task_id AND g.batch_id = t.batch_id AND g.context_id = t.subtask_id AND g.model_id = t.model_id AND g.index_id = t.index_id
		JOIN ai_core_metrics m ON m.stream_id = t.stream_id AND m.task_id = t.task_id AND m.batch_id = t.batch_id AND m.subtask_id = t.subtask_id")" \
		"40|$(rows op_summary | cut -d, -f5 | sort -u | wc -l)"
	python3 - "$PROF" <<'END'
import csv, glob, sqlite3, sys
prof, = sys.argv[1:]
db = sqlite3.connect(f"file:{prof}/device_0/sqlite/ai_core_op_summary.db?mode=ro", uri=True)
db.row_factory = sqlite3.Row
ours = {(r["stream_id"], r["task_id"]): r for r in db.execute("SELECT * FROM ge_summary g JOIN ai_core_metrics m USING (stream_id, task_id) JOIN task_time t USING (stream_id, task_id)")}
table = list(csv.DictReader(open(glob.glob(prof + "/mindstudio_profiler_output/op_summary_*")[0])))
assert len(table) == len(ours) == 40
for row in table:
    r = ours[int(row["Stream ID"]), int(row["Task ID"])]
    said = (r["op_name"], r["op_type"], str(r["block_num"]), str(r["block_dim"]), r["input_shapes"], r["output_data_types"], r["task_type"])
    assert said == (row["Op Name"], row["OP Type"], row["Block Num"], row["Block Num"], row["Input Shapes"], row["Output Data Types"], row["Task Type"]), said
    assert abs(float(row["Task Duration(us)"]) * 1000 - r["duration_time"]) < 1
    for title, column in (("aic_mac_ratio", "aic_mac_ratio_extra"), ("aic_mte2_ratio", "aic_mte2_ratio"), ("aic_total_cycles", "aic_total_cycles"),
                          ("aiv_vec_ratio", "aiv_vec_ratio"), ("aicore_time(us)", "aic_total_time"), ("aiv_time(us)", "aiv_total_time")):
        assert abs(float(row[title]) - r[column]) < 6e-4, (title, row[title], r[column])
END
	equal "$(of device_0 metric_summary 'SELECT count(*), sum(aic_total_cycles) > 0 FROM MetricSummary')" '40|1'
}

@test "samples: memory of the device, and what the program used of processors and memory of the host" {
	discard "$PROF"
	"$BUILD/tests/genprof" --samples --out "$PROF"
	expect 0 export summary --compat-db --model-id 1 --iteration-id 1 "$PROF"
	equal "$(of device_0 ascend_task 'SELECT count(*) FROM AscendTask')" 40 # what is chosen is of the tables alone
	equal "$(of device_0 hbm 'SELECT count(*), count(DISTINCT hbmid), group_concat(DISTINCT event_type) FROM HBMbwData')" \
		"$(query 'SELECT count(*), count(DISTINCT hbm_id) FROM hbm_rate')|read,write"
	# 1 s of processors in 2 s of which there are 4, and 3 of 1000 MB; a process that began later counts from its first sample
	sed -i 's/"CPU":/"memoryTotal":1000000,"cpuNums":4,"sysClockFreq":100,"CPU":/' "$PROF/host/info.json"
	printf '%s\n' '1001000000000 42 100 0 9 2000 9 app' '1003000000000 42 600000 200100 9 2000 9 app' '1003000000000 43 100000 100000 9 1000 9 sh' >"$HOST/msprof.process.slice_0"
	expect 0 import --compat-db "$PROF"
	equal "$(of host host_cpu_usage "SELECT * FROM CpuUsage WHERE cpu_no == 'Avg'; SELECT * FROM CpuInfo")" $'1001000000000|1003000000000|Avg|12.5\n4|100'
	equal "$(of host host_mem_usage 'SELECT * FROM MemUsage')" '1001000000000|1003000000000|0.3'
	# the vendor's own samples come first: 50 of 100 ticks on processor 3
	process() {
		echo "42 (python) S 1 42 0 0 0 0 0 0 0 0 $1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3 0 0"
	}
	printf 'time 1001000000000\n100.00 5.0\n%s\ntime 1002000000000\n101.00 5.0\n%s\n' "$(process 10)" "$(process 60)" >"$HOST/host_cpu.data.slice_0"
	printf '1001000000000 9 100 1 1 0 1 0\n1002000000000 9 500 1 1 0 1 0\n' >"$HOST/host_mem.data.slice_0"
	expect 0 import --compat-db "$PROF"
	equal "$(of host host_cpu_usage 'SELECT * FROM CpuUsage ORDER BY cpu_no')" $'1001000000000|1002000000000|3|50.0\n1001000000000|1002000000000|Avg|12.5'
	equal "$(of host host_mem_usage 'SELECT * FROM MemUsage')" '1001000000000|1002000000000|0.2'
}

@test "what is up to date is not written again, what another tool wrote stays, and --clear leaves nothing to write" {
	mkdir -p "$PROF/device_0/sqlite"
	sqlite3 "$PROF/device_0/sqlite/ascend_task.db" 'CREATE TABLE AscendTask(theirs)'
	ln -s /etc/passwd "$PROF/device_0/sqlite/time.db"
	before=$(sha256sum "$PROF/device_0/sqlite/ascend_task.db")
	expect 0 export db --clear --compat-db "$PROF"
	has "$stderr" '--compat-db has no effect: --clear'
	[ ! -e "$PROF/host/sqlite" ] || fail "databases that --clear would make stale"
	expect 0 import --compat-db "$PROF"
	has "$stderr" '2 databases of another tool stay'
	equal "$(sha256sum "$PROF/device_0/sqlite/ascend_task.db")" "$before"
	listed=$(cd "$PROF" && stat -c '%n %i %Y' host/sqlite/* device_0/sqlite/*)
	expect 0 export db --compat-db "$PROF"
	lacks "$stderr" 'databases for other tools'
	equal "$(cd "$PROF" && stat -c '%n %i %Y' host/sqlite/* device_0/sqlite/*)" "$listed"
	# other data: theirs stay, ours follow, and one that would be empty goes
	: >"$HOST/unaging.compact.task_track.slice_0"
	expect 3 export db --compat-db "$PROF"
	[ ! -e "$PROF/host/sqlite/runtime.db" ] || fail "it tells of tasks that are gone"
	equal "$(of host api_event 'SELECT count(*) FROM ApiData')" 120
	equal "$(sha256sum "$PROF/device_0/sqlite/ascend_task.db")" "$before"
}

@test "--output puts them elsewhere; a part alone has its own; other data has none, and a link for a directory is an error" {
	cd "$BATS_TEST_TMPDIR"
	expect 0 export db --compat-db --output out "$PROF"
	equal "$(cd out/* && echo */*/)" 'device_0/sqlite/ host/sqlite/'
	[ ! -e "$PROF/host/sqlite" ] && [ ! -e "$HOST/all_file.complete" ] || fail "the job was changed"
	expect 0 export summary --compat-db "$PROF/device_0"
	equal "$(of device_0 ascend_task 'SELECT count(*) FROM AscendTask')" 40
	[ ! -e "$PROF/host/sqlite" ] || fail "the host was not named"
	ln -s "$BATS_TEST_TMPDIR" "$PROF/host/sqlite"
	expect 1 import --compat-db "$PROF"
	has "$stderr" 'host/sqlite'
	expect 0 import --compat-db "$JOB"
	has "$stderr" '--compat-db has no effect'
}
