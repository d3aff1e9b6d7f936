#!/usr/bin/env bats
# ascend2022_stars.bats: JOB directories of the 2022 generation of chips with the scheduler "stars": its logs and counters beside
# the host's files of that generation.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# The logs and counters of the made job as "stars" writes them; operator 2 runs on the vector cores, 3 on both.
stars() {
	python3 - "$JOB/data" <<-'END'
		import os, struct, sys
		def taken(name):
		    path = os.path.join(sys.argv[1], name)
		    with open(path, "rb") as f:
		        data = f.read()
		    os.remove(path)
		    os.remove(path + ".done")
		    return data
		def written(name, records):
		    with open(os.path.join(sys.argv[1], name), "wb") as f:
		        f.write(b"".join(records))
		logs, counters = taken("hwts.data.0.slice_0"), taken("aicore.data.0.slice_0")
		soc, profile = [], []
		for n, at in enumerate(range(0, len(logs), 64)):
		    kind, task, counter, stream = struct.unpack_from("<B5xHQI", logs, at)
		    # stream 3 with bits above its number, which are of another field
		    soc.append(struct.pack("<HHHHQHH44x", (kind & 7) | n % 16 << 6, 0x6bd3, stream | 0x800, task, counter, 0, 0))
		# a part of task 1, which is no task
		for kind, counter in ((34, 24000100), (35, 24000200)):
		    soc.append(struct.pack("<HHHHQBBHHH40x", kind, 0x6bd3, 3, 1, counter, 6, 0, 9, 4 << 13, 2))
		for n, at in enumerate(range(0, len(counters), 128)):
		    task, cycles, *events, stream = struct.unpack_from("<6xH8xQ8x8QI", counters, at)
		    profile.append(struct.pack("<HHHH24xQQ8Q16x", 40 | n % 16 << 6, 0x6bd3, stream | 0x800, task, cycles, 0, *events))
		# counters of a block of task 1, which are not those of the task
		profile.append(struct.pack("<HHHH24xQQ8Q2Q", 41, 0x6bd3, 3, 1, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 24000000, 24000024))
		written("stars_soc.data.0.slice_0", soc)
		written("ffts_profile.data.0.slice_0", profile)
		with open(os.path.join(sys.argv[1], "Framework.task_desc_info.0.slice_0"), "r+b") as f:
		    for task, kind in ((1, 2), (2, 4)):
		        f.seek(256 * task + 4)
		        f.write(struct.pack("<I", kind))
	END
}

# line N of a summary
line() {
	sed -n "$1p" "$JOB/summary/$2" | tr -d '\r'
}

@test "tasks of logs of stars: each operator of any core, with its times, its counters and its name" {
	made tasks=4 chip=5 hash=1 metrics=ArithmeticUtilization cycles=1000 pmu=500,250,100,0,0,0,0
	stars
	expect 0 export summary -dir "$JOB"
	lacks "$stderr" "not understood"
	# 100 us each, 10 us apart; 500 and 250 of 1,000 cycles; 500 * 8192 + 250 * 16384 operations
	equal "$(cut -d, -f2,3,6-9 <"$JOB/summary/op_summary_0_1.csv" | tr -d '\r')" 'Task ID,Stream ID,Task Type,Task Start Time,Task Duration(us),Task Wait Time(us)
1,3,AI_CORE,1000000000000,100.0,0.0
2,3,AI_VECTOR_CORE,1000000110000,100.0,10.0
3,3,MIX_AIC,1000000220000,100.0,10.0
4,3,AI_CORE,1000000330000,100.0,10.0'
	python3 - "$JOB/summary/op_summary_0_1.csv" "$JOB/summary/op_statistic_0_1.csv" <<-'END'
		import csv, sys
		for row in csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8-sig")):
		    assert float(row["mac_fp16_ratio"]) == 0.5 and float(row["mac_int8_ratio"]) == 0.25, row
		    assert float(row["cube_fops"]) == 500 * 8192 + 250 * 16384, row
		    assert not row["OP Type"].isdigit(), row
		assert sum(int(row["Count"]) for row in csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8-sig"))) == 4
	END
	equal "$(query 'SELECT type, stream_id, task_id, context_id, ffts_thread_id, time_ns FROM ffts_log')" \
		$'0|3|1|9|2|1000000004167\n1|3|1|9|2|1000000008333'
	equal "$(query 'SELECT stream_id, task_id, total_cycles, pmu7, start_ns, dur_ns FROM block_pmu')" "3|1|7|8|1000000000000|1000"
	expect 0 export timeline -dir "$JOB" -q
	equal "$(jq -c '[.[] | select(.ph == "X" and .args["Task Id"]) | [.ts, .dur, .args["Task Type"]]]' "$JOB/timeline/task_time_0_1.json")" \
		'[[1000000000,100,"AI_CORE"],[1000000110,100,"AI_VECTOR_CORE"],[1000000220,100,"MIX_AIC"],[1000000330,100,"AI_CORE"]]'
}

@test "what the AI CPU recorded is in each iteration, though the numbers of its tasks begin again" {
	made tasks=4 steps=2 dynamic=1 chip=5
	python3 - "$JOB/data" <<-'END'
		import struct, sys
		with open(sys.argv[1] + "/DATA_PREPROCESS.AICPU.0.slice_0", "wb") as f:
		    for begin in (24000000, 24000000 + 2 * 2640):
		        f.write(struct.pack("<HHHHQQQQQQQIIQQQQIIIHBBQ", 0x5a5a, 60, 3, 1, 1, begin, 2, 6, 9, 12, begin + 1200, 1, 0, begin, begin, begin, begin + 1200,
		                            0, 30, 140, 0, 2, 0, 0))
	END
	stars
	python3 - "$JOB/data/Framework.task_desc_info.0.slice_0" <<-'END'
		import struct, sys
		with open(sys.argv[1], "r+b") as f:
		    for record in range(4): # the first task of each iteration is of the AI CPU
		        f.seek(256 * record + 4)
		        f.write(struct.pack("<I", record % 2 == 0))
	END
	for turn in 1 2; do
		expect 0 export summary -dir "$JOB" --model-id 1 --iteration-id $turn -q
		equal "$(tail -n +2 "$JOB/summary/aicpu_0_1_$turn.csv" | wc -l)" 1
		equal "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Core Type") core = i; next } { print $core }' \
			"$JOB/summary/op_statistic_0_1_$turn.csv" | sort | tr '\n' ' ')" "AI_CORE AI_CPU "
	done
}

@test "the same tasks of hwts logs: only those of the AI core" {
	made tasks=4 chip=5
	python3 - "$JOB/data/Framework.task_desc_info.0.slice_0" <<-'END'
		import struct, sys
		with open(sys.argv[1], "r+b") as f:
		    f.seek(256 + 4)
		    f.write(struct.pack("<I", 2))
	END
	expect 0 export summary -dir "$JOB" -q
	equal "$(cut -d, -f2 <"$JOB/summary/op_summary_0_1.csv" | tail -n +2 | tr '\n' ' ')" "1 3 4 "
}

@test "tasks without calls of the host: no arrow that begins nowhere" {
	made tasks=3 steps=1
	rm "$JOB"/data/AclModule*
	expect 0 export timeline -dir "$JOB" -q
	equal "$(jq '[.[] | select(.ph == "f")] | length' "$JOB/timeline/msprof_0_1_1.json")" 0
	equal "$(jq '[.[] | select(.ph == "X" and .args["Task Id"])] | length' "$JOB/timeline/msprof_0_1_1.json")" 3
}
