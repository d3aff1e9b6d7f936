#!/usr/bin/env bats
# prof_machine.bats: PROF directories: what their files say of the machine: single processes, disks, calls to the system; of the chip: addresses, page faults, voltages.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

# The database of `export db`.
made() {
	sqlite3 "$PROF"/msprof_*.db "$1"
}

# guide PROCESS: slices of a process in the guide's style: track, name, duration and core
guide() {
	jq -r --arg process "$1" '.traceEvents | (map(select(.name == "process_name" and .args.name == $process))[0].pid) as $pid |
		(map(select(.name == "thread_name" and .pid == $pid) | {key: (.tid | tostring), value: .args.name}) | from_entries) as $tracks |
		.[] | select(.ph == "X" and .pid == $pid) | [$tracks[.tid | tostring], .name, .dur, .args["Core Id"]] | map(tostring | if . == "null" then "" else . end) | join("|")' \
		"$PROF/mindstudio_profiler_output/trace.json"
}

# sample NAME PID K: what a card writes of a process at its K-th sample; the name of a program may have blanks and parentheses
sample() {
	printf 'TimeStamp:%s\nIndex:%s\nProcessName:%s\n%s (%s) S 1 %s 0 0 -1 4194560 7 7 7 7 %s %s %s 0 20 0 9 0 100 5000 6\ncpu  %s 0 100 1000 9 0 0 0 0 0\n\n' \
		$((1000 + $3)) "$3" "$1" "$2" "$1" "$2" $((10 * $3)) $((5 * $3)) "$3" $((200 * $3))
}

# pages PID K
pages() {
	printf 'TimeStamp:%s\nIndex:%s\nProcessName:p%s\n%s %s 10 1 0 5 0\n\n' $((1000 + $2)) "$2" "$1" $((1000 + $1 + $2)) $((500 + $2))
}

@test "processors and memory of the host and of single processes, on devices and on the host, over slices" {
	mkdir -p "$PROF/device_1/data"
	for k in 1 2 3; do sample 'a) (b' 77 $k; done >"$DEVICE/whole"
	head -c 300 "$DEVICE/whole" >"$DEVICE/77-CpuUsage.data.0.slice_0" # a line is cut
	tail -c +301 "$DEVICE/whole" >"$DEVICE/77-CpuUsage.data.0.slice_1"
	rm "$DEVICE/whole"
	sample one 4242 1 >"$HOST/4242-CpuUsage.data.slice_0"
	sample two 5 4 >"$HOST/5-CpuUsage.data.slice_0"
	for k in 1 2; do pages 77 $k; done >"$DEVICE/77-Memory.data.0.slice_0"
	pages 9 1 >"$HOST/9-Memory.data.slice_0"
	printf 'TimeStamp:1001\nIndex:1\ncpu  30 0 10 160 0 0 0 0 0 0\ncpu0 20 0 10 70 0 0 0 0 0 0\ncpu1 10 0 0 90 0 0 0 0 0 0\n\n' >"$HOST/host_sys_cpu.data.slice_0"
	printf 'TimeStamp:%s\nIndex:1\nMemTotal:        1000 kB\nMemFree:          %s kB\nHugePages_Free:      4\n\n' 1 500 2 503 >"$HOST/host_sys_mem.data.slice_0"
	expect 0 export summary -dir "$PROF"
	accounted
	# the mean of the shares of each sample
	share() {
		python3 -c 'import sys
ks = [int(k) for k in sys.argv[1:]]
print(round(100 * sum((10 * k + 5 * k + k) / (200 * k + 100 + 1000 + 9) for k in ks) / len(ks), 3))' "$@"
	}
	equal "$(rows process_cpu_usage)" "0,77,a) (b,$(share 1 2 3)
host,5,two,$(share 4)
host,4242,one,$(share 1)"
	equal "$(rows process_mem)" $'0,77,p77,1078,501,10\nhost,9,p9,1010,501,10'
	equal "$(rows cpu_usage)" "host,host,15.0,5.0,0.0,0.0,0.0,80.0"
	equal "$(rows sys_mem)" "host,1000,501,N/A,N/A,N/A,N/A,N/A,N/A,4"
	expect 0 show -dir "$PROF" --top 0 --table Processes --format csv
	# ticks of samples 1 to 3 of 15 and one of 200 + 1 more each; of a single sample nothing is known
	equal "$(cut -d, -f2-6 <<<"$output")" "Device,PID,Name,CPU(%),Resident(pages)
0,77,p77,$(python3 -c 'print(round(100 * 2 * 16 / (2 * 200), 3))'),501
host,5,two,N/A,N/A
host,9,p9,N/A,501
host,4242,one,N/A,N/A"
	# lines without the words that they must have are damage: the rest stays
	printf '4242 (one) S 1 4242 0 0\ncpu  1 2 3\nName:x\001y\n' >>"$HOST/4242-CpuUsage.data.slice_0"
	expect 3 export summary -dir "$PROF"
	accounted
	equal "$(query "SELECT file, bytes FROM damage")" "host/data/4242-CpuUsage.data.slice_0|35"
	equal "$(tail -n 1 <(rows process_cpu_usage))" "host,4242,one,$(share 1)"
}

@test "disks of the host: rates of any unit, samples at the interval of sample.json, a kernel that tells no waits" {
	sed -i 's/^{/{"host_disk_freq":20,/' "$PROF/host/sample.json"
	cat >"$HOST/host_disk.data.slice_0" <<-END
		start_time 1000500000000
		    TIME  TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN      IO    COMMAND
		10:11:12   4242 be/4 root        2.00 K/s    512.00 B/s  0.00 %  1.50 % python3  a.py
		10:11:13   4242 be/4 root        1.50 M/s    1.00 G/s  0.00 % 99.99 % python3
		10:11:14   4242 be/4 root        0.00 B/s    4.00 K/s  ?unavailable?  python3
	END
	expect 0 export summary -dir "$PROF"
	accounted
	# of 2 rates above 0 and of 3 the 98th of 100 is the largest; a reserve of a fifth
	equal "$(rows host_disk_usage)" "host,1536.0,1920.0,1048576.0,1310720.0"
	expect 0 export db -dir "$PROF"
	equal "$(made 'SELECT * FROM HOST_DISK_USAGE')" $'1700000000500000000|2048|512|1.5\n1700000000550000000|1572864|1073741824|99.99\n1700000000600000000|0|4096|0'
	expect 0 export timeline -dir "$PROF"
	equal "$(jq -r '.[] | select(.ph == "C" and (.pid / 32 % 32 | floor) == 12) | [.name, .ts, .args["Usage(%)"]] | map(tostring) | join("|")' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" \
		$'Disk Usage|1700000000500000.000|1.5\nDisk Usage|1700000000550000.000|99.99\nDisk Usage|1700000000600000.000|0'
	# without an interval no sample has a time
	sed -i 's/"host_disk_freq":20/"host_disk_freq":0/' "$PROF/host/sample.json"
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*) FROM host_disk_use')" 0
}

@test "calls to the system and of threads: of perf and ltrace, in a table, a track and export db" {
	cat >"$HOST/host_syscall.data.slice_0" <<-END
		     ? (         ): python3/4243  ... [continued]: futex()) = 0
		 1000.100 ( 0.200 ms): python3/4242 read(fd: 3, buf: 0x7f) = 7
		 1003.000 ( 2.000 ms): my thread/4243 read(fd: 4) = 1
		 1004.000 ( 0.001 ms): python3/4242 gettid() = 4242
		 1005.100 ( 1.000 ms): futex(uaddr: 0x7f) = 0
	END
	cat >"$HOST/host_pthreadcall.data.slice_0" <<-END
		[pid 4242] 1700000000.100000 python3->pthread_once(0x1, 0x2) = 0 <0.000900>
		[pid 4242] 1700000000.100500 python3->pthread_create(0x1, 0x2 <unfinished ...>
		[pid 4243] 1700000000.100700 python3->pthread_mutex_lock(0x1, 0x2) = 0 <0.000250>
		[pid 4242] 1700000000.101000 <... pthread_create resumed> ) = 0 <0.000500>
		[pid 4243] 1700000001.000000 +++ exited (status 0) +++
	END
	expect 0 export summary -dir "$PROF"
	accounted
	# gettid never waits; the first call of each kind is made when the collection begins
	equal "$(rows os_runtime_statistic | cut -d, -f1-4,6-)" "host,4242,4243,read,2000.0,1,2000.0,2000.0,2000.0
host,4242,4242,futex,1000.0,1,1000.0,1000.0,1000.0
host,4242,4242,pthread_create,500.0,1,500.0,500.0,500.0
host,4242,4243,pthread_mutex_lock,250.0,1,250.0,250.0,250.0
host,4242,4242,read,200.0,1,200.0,200.0,200.0"
	equal "$(rows os_runtime_statistic | cut -d, -f5 | paste -sd+ | python3 -c 'print(round(eval(input()), 9))')" 1.0
	expect 0 export db -dir "$PROF"
	equal "$(made 'SELECT s.value, globalTid >> 32, globalTid & 4294967295, startNs - 1700000000000000000, endNs - startNs FROM OSRT_API JOIN STRING_IDS s ON s.id = name ORDER BY 1, 3')" \
'futex|4242|4242|5000000|1000000
pthread_create|4242|4242|1000000|500000
pthread_mutex_lock|4242|4243|700000|250000
read|4242|4242|0|200000
read|4242|4243|2900000|2000000'
	expect 0 export timeline -dir "$PROF"
	equal "$(jq -r '.[] | select((.pid / 32 % 32 | floor) == 13) | [.ph, .name, .tid, .ts // "", .dur // "", .args.name // ""] | map(tostring) | join("|")' \
		"$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sort)" \
'M|process_labels|0|||
M|process_name|0|||OS Runtime API
M|process_sort_index|0|||
M|thread_name|4242|||Thread 4242
M|thread_name|4243|||Thread 4243
X|futex|4242|1700000000005000.000|1000|
X|pthread_create|4242|1700000000001000.000|500|
X|pthread_mutex_lock|4243|1700000000000700.000|250|
X|read|4242|1700000000000000.000|200|
X|read|4243|1700000000002900.000|2000|'
	expect 0 show -dir "$PROF" --table 'Calls to the system' --format csv --top 1
	equal "$(sed -n 2p <<<"$output" | cut -d, -f2-)" "read,4243,1,2000,2000,2000"
	# times beyond all clocks are no calls; a cut line is damage
	printf '99999999999999999999.0 (1.0 ms): read(fd: 1)\n1.0 (99999999999999999999.0 ms): read(fd: 1)\n 1.0 ( 1.' >>"$HOST/host_syscall.data.slice_0"
	expect 3 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT count(*) FROM os_call')" 5
	equal "$(query 'SELECT bytes, reason FROM damage')" "9|text cut short by the end of the file"
}

@test "counters of the chip: addresses, the L2 cache and page faults of tasks; numbers of tasks of version 6 have 32 bits" {
	sed -i 's/^{/{"npuEvents":"HA:0x00,0x81;smmu: 0x8d,0x2,0x8a,0x8c",/' "$PROF"/device_0/sample.json*
	for k in 0 1; do
		echo "stream_id=$k task_id=0 data_type=2 event0=$((10 + k)) event1=7 event2=100 event3=30"
		echo "stream_id=$k task_id=0 data_type=4 event0=$((k * 9))"
		echo "stream_id=$k task_id=0 data_type=9 event0=1"
	done | record prof.soc_pmu "$DEVICE/socpmu.data.0.slice_0"
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(rows soc_pmu | cut -d, -f1-5)" $'0,0,0,0.4,0.07\n0,1,0,0.41,0.07'
	equal "$(rows page_fault | cut -d, -f1-4)" $'0,0,0,0\n0,1,0,9'
	expect 0 show -dir "$PROF" --table 'Translation of addresses' --top 0 --format csv
	has "$output" "0.4,0.07"
	# one of the events is missing: there are no rates
	sed -i 's/0x8d,0x2,/0x8d,0x8b,/' "$PROF"/device_0/sample.json*
	rm "$PROF"/mindstudio_profiler_output/soc_pmu_*
	expect 0 export summary -dir "$PROF"
	[ ! -e "$(echo "$PROF"/mindstudio_profiler_output/soc_pmu_*)" ]
	# version 6: the events of the L2 cache come this way, too
	sed -i 's/^{/{"l2CacheTaskProfilingEvents":"0x00,0x81,0x82,0x83,0x74,0x75",/' "$PROF"/device_0/sample.json*
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$PROF/device_0/info.json.0"
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile* "$DEVICE"/socpmu*
	echo 'stream_id=3 task_id=4294967295 data_type=1 event0=100 event1=10 event2=5 event3=1 event4=2 event5=4' | record prof.v6_soc_pmu "$DEVICE/socpmu.data.0.slice_0"
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT stream_id, task_id, hit_rate, victim_rate FROM l2_task')" "3|4294967295|0.78|0.06"
}

@test "lpmInfoConv: frequency and voltages, what held before the device began, and the cores' frequency where nothing else tells it" {
	# points KIND TICKS:VALUE...: a record
	points() {
		python3 - "$@" <<-'END'
			import struct, sys
			kind, points = int(sys.argv[1]), [tuple(map(int, p.split(":"))) for p in sys.argv[2:]]
			body = struct.pack("<II", len(points), kind) + b"".join(struct.pack("<QII", 50000000000 + t, v, 0) for t, v in points)
			sys.stdout.buffer.write(body.ljust(888, b"\0"))
		END
	}
	{ points 0 -90:1000 -50:1100 5000:1650 && points 1 0:810 && points 2 -1:705 100000:700 && points 7 1:1; } >"$DEVICE/lpmInfoConv.data.0.slice_0"
	rm -f "$DEVICE"/lpmFreqConv*
	expect 0 export db -dir "$PROF"
	accounted
	equal "$(query 'SELECT kind, value, time_ns - 1000000000000 FROM lpm_point')" '0|1100|0
0|1650|100000
1|900|0
1|810|0
2|705|0
2|700|2000000'
	# from the begin of the collection, at each change once, to its end
	equal "$(made 'SELECT timestampNs - 1700000000000000000, freq FROM AICORE_FREQ ORDER BY rowid LIMIT 3' | sed -n 2,3p)" $'0|1100\n100000|1650'
	has "$(query 'SELECT group_concat(mhz) FROM core_frequency')" "1100,1650"
	# lpmFreqConv is what counts for the cores; the rows of both are there
	points 0 5000:1500 >"$DEVICE/lpmFreqConv.data.0.slice_0"
	rm "$PROF"/msprof_*.db
	expect 0 export db -dir "$PROF"
	lacks "$(query 'SELECT group_concat(mhz) FROM core_frequency')" "1650"
	equal "$(made 'SELECT group_concat(freq) FROM AICORE_FREQ WHERE timestampNs = 1700000000000100000')" "1500,1500,1650"
}

@test "cores that are sampled on chips of stars: one file has cube and vector cores, and times of the device's clock" {
	sed -i 's/^{/{"ai_core_profiling_mode":"sample-based",/' "$PROF"/device_0/sample.json*
	rm "$DEVICE"/ffts_profile*
	for k in 0 1 2; do
		for core in 3 24 25; do echo "core=$core counters=8 total_cycles=$(((k + 1) * core * 100)) stamp_ns=$((1000000000000 + k * 1000000)) pmu0=$k"; done
	done | record prof.ffts_sample "$DEVICE/ffts_profile.data.0.slice_0"
	expect 0 export db -dir "$PROF"
	accounted
	mhz=$(query 'SELECT mhz FROM setting')
	equal "$(made "SELECT s.value, coreId, timestampNs - 1700000000000000000, totalCycle, abs(usage - totalCycle * 100000.0 / ($mhz * CASE timestampNs WHEN 1700000000000000000 THEN 1 ELSE 1000000 END)) < 1e-6
		FROM SAMPLE_PMU_TIMELINE JOIN STRING_IDS s ON s.id = coreType WHERE coreId <> 3 ORDER BY 2, 3")" \
'AIC|24|0|2400|1
AIC|24|1000000|4800|1
AIC|24|2000000|7200|1
AIV|25|0|2500|1
AIV|25|1000000|5000|1
AIV|25|2000000|7500|1'
	# three samples, 1 + 2 of the first event: 14400 cycles of core 24, 15000 of core 25
	equal "$(made "SELECT t.value, coreId, m.value, abs(s.value - CASE m.value WHEN 'total_time' THEN 1000.0 * 600 * coreId / $mhz ELSE 3.0 / (600 * coreId) END) < 1e-9 FROM SAMPLE_PMU_SUMMARY s
		JOIN STRING_IDS t ON t.id = coreType JOIN STRING_IDS m ON m.id = metric WHERE s.value > 0 AND coreId <> 3 ORDER BY coreId, m.value = 'total_time'")" \
'AIC|24|mac_ratio|1
AIC|24|total_time|1
AIV|25|vec_ratio|1
AIV|25|total_time|1'
	equal "$(query 'SELECT kind, core, samples, total_cycles FROM core_sum')" $'aic|3|3|1800.0\naic|24|3|14400.0\naiv|25|3|15000.0'
	expect 0 export summary -dir "$PROF"
	equal "$(rows ai_core_utilization | cut -d, -f1,2,4)" $'0,3,1800\n0,24,14400\n0,Average,8100'
	equal "$(rows ai_vector_core_utilization | cut -d, -f1,2,4)" $'0,25,15000\n0,Average,15000'
}

@test "Ascend 950: loops and waits, channels, ports, tasks of the processor for data" {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	python3 - "$DEVICE" "$HOST" <<-'END'
		import random, struct, sys
		r, device, host = random.Random(3), *sys.argv[1:]
		mission = lambda waits, start, end, begin: struct.pack("<16HQHQQ3H", *waits, start, 9, end, begin, 5, 4660, 22)
		none, some = [0] * 16, list(range(16))
		open(device + "/ccu0.instr.0.slice_0", "wb").write(mission(none, 0, 50000001000, 50000000500) + mission(some, 50000002000, 0, 0))
		words = [0] * 704
		for place, values in ((5, (1, 11, 100, 50, 200)), (64 + 11 * 5, (2, 11, 10, 5, 20)), (640 + 6, (3, 11, 1, 1, 1)), (693, (4, 11, 1000, 500, 4000))):
		    words[place:place + 5] = values
		open(device + "/ccu1.stat.0.slice_0", "wb").write(struct.pack("<704I", *words))
		open(device + "/ub.data.0.slice_0", "wb").write(b"".join(struct.pack("<4H15Q", 1, 0, 7, 0, 1000 * k, 11 * k, 22 * k, *[0] * 12) for k in (1, 2)))
		power = lambda die, ticks, mhz: struct.pack("<2HIQQ20H", 29 | die << 10, 0x6BD3, 0, 50000000000 + ticks, 0, *[mhz if k == 11 else k for k in range(20)])
		open(device + "/stars_soc_profile.data.0.slice_0", "wb").write(power(1, 100, 1650) + power(2, 150, 9) + power(0, 200, 800))
		open(host + "/unaging.compact.dpu_track.slice_0", "wb").write(struct.pack("<HHIIIQHHIIIQ16x", 0x5A5A, 5000, 1, 77, 24, 100000003000, 0x1002, 6, 70000, 4, 0, 100000001000))
	END
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$PROF/device_0/info.json.0"
	record prof.ccu_group_info "$HOST/unaging.additional.ccu_group_info.slice_0" <<<"level=10000 stream_id=65535 task_id=$((22 << 16 | 4660)) instr_id=5 die_id=1 data_size=5000 reduce_type=2 input_type=3 output_type=77"
	echo "thread_id=8 stamp=$(host 1050) begin=$(host 1040) stream_id=9 task_id=3 dpu_device_id=2 device_id=0 size=5000" \
		"link_type=7 op_type=3 transport_type=99 notify_id=$((1 << 40))" | record prof.dpu_hccl_info "$HOST/unaging.additional.dpu_hccl_info.slice_0"
	expect 0 export summary -dir "$PROF"
	accounted
	# 20 ns a count; rank 15 waits for no quarter of 4 counts, rank 14 for one, ...
	equal "$(rows ccu_mission | tr -d '\t' | sed -n '1,3p;17p' | cut -d, -f1-3,6-)" "0,65535,$((22 << 16 | 4660)),10.0,9,0,0.0
0,65535,$((22 << 16 | 4660)),0.0,9,15,0.0
0,65535,$((22 << 16 | 4660)),0.0,9,14,0.08
0,65535,$((22 << 16 | 4660)),0.0,9,0,1.2"
	equal "$(query 'SELECT count(*) FROM ccu_part')" 17
	equal "$(rows ccu_channel | cut -d, -f1,2,4-)" "$(python3 -c '
for channel, mean, least, most in ((1, 100, 50, 200), (23, 10, 5, 20), (120, 1, 1, 1), (127, 1000, 500, 4000)):
    print(f"0,{channel}," + ",".join(str(round(4096 / (x / 50) * 1e6 / 1048576, 3)) for x in (least, most, mean)))')"
	equal "$(rows ub | tr -d '\t')" $'0,7,1700000000001000.000,11,22\n0,7,1700000000002000.000,22,44'
	equal "$(query 'SELECT device_id, device_type, stream_id, task_id, thread_id, start_ns - 1000000000000, dur_ns FROM dpu_track')" "2|1|6|70000|77|10000|20000"
	expect 0 export db -dir "$PROF"
	equal "$(made 'SELECT timestampNs - 1700000000000000000, freq, dieId FROM AICORE_FREQ')" $'2000|1650|1\n4000|800|0'
	expect 0 export timeline -dir "$PROF"
	equal "$(jq -r '.[] | select(.name | startswith("AI Core Freq Die")) | [.name, .ts[13:], .pid / 32 % 32, .args.MHz] | map(tostring) | join("|")' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" \
		$'AI Core Freq Die 1|002.000|15|1650\nAI Core Freq Die 0|004.000|15|800'
	equal "$(made 'SELECT * FROM UB')" $'0|7|1700000000001000000|11|22\n0|7|1700000000002000000|22|44'
	equal "$(jq -r '.[] | select(.name == "UB Port007") | [.ts[10:], .args[]] | map(tostring) | join("|")' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" $'001000.000|11|22\n002000.000|22|44'
	# tracks: the loop began 500 counts of 20 ns after the device, the wait 2000; 5000 bytes in 10 us
	local loop='"Bandwidth (MB/s)":476.837158203125,"Reduce Op Type":"MAX","Input Data Type":"FP16","Output Data Type":"77"'
	local ids='"Thread Id":8,"Physic Stream Id":9,"Task Id":3,"OP Type":"MIN","AI CPU Device Id":0,"AI CPU Task Id":0,"Group Name":"N/A(0)","Plane Id":0'
	local sizes='"Transport Type":"99","Size(Byte)":5000,"Bandwidth(GB/s)":0.5,"Data Type":"INT8","Link Type":"UB","Rdma Type":"RDMA_SEND_NOTIFY"'
	units() {
		jq -c --argjson kinds "$1" '.[] | select(.pid / 32 % 32 | IN($kinds[])) | if .ph == "X" then [.name, .tid, .ts[10:], .dur, .args] else [.name, .tid, .args[]] end' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json
	}
	equal "$(units '[30]')" "$(printf '%s\n' '["process_name",0,"CCU"]' '["process_labels",0,"NPU 0"]' '["process_sort_index",0,30]' '["thread_name",0,"Communication"]' '["thread_sort_index",0,0]' \
		'["LoopGroup",0,"000010.000",10,{"Physic Stream Id":65535,"Task Id":1446452,"Instruction ID":5,"Die Id":1,"Data Size":5000,'"$loop"'}]' \
		'["Wait",0,"000040.000",1.2,{"Physic Stream Id":65535,"Task Id":1446452,"Notify Instruction ID":9,"Notify Rank ID":0}]')"
	equal "$(units '[8]' | grep -v sort_index)" "$(printf '%s\n' '["process_name",0,"CANN"]' '["process_labels",0,"DPU 2"]' '["thread_name",6,"Stream 6"]' '["thread_name",9,"Stream 9"]' \
		'["0",9,"001040.000",10,{'"$ids"',"Notify Id":"1099511627776","Duration Estimated(us)":0,"Rank Size":0,"Src Rank":0,"Dst Rank":0,'"$sizes"'}]' \
		'["N/A",6,"000010.000",20,{"Thread Id":77,"Physic Stream Id":6,"Task Id":70000,"Task Type":"AI_CPU"}]')"
	expect 0 export timeline -dir "$PROF" --style guide
	equal "$(guide 'CCU, NPU 0')" $'Communication|LoopGroup|10|\nCommunication|Wait|1.2|'
	equal "$(guide 'CANN, DPU 2')" $'Stream 6|N/A|20|\nStream 9|0|10|'
	# of the waits that of rank 0 ended last, after 15 quarters of 4 counts
	equal "$(made 'SELECT n.value, endNs - startNs, a.value FROM CCU JOIN STRING_IDS n ON n.id = name JOIN STRING_IDS a ON a.id = args ORDER BY startNs')" \
		"LoopGroup|10000|{\"Physic Stream Id\":65535,\"Task Id\":$((22 << 16 | 4660)),\"Instruction ID\":5,\"Die Id\":1,\"Data Size\":5000,\"Bandwidth (B/s)\":500000000.0,${loop#*,}}
Wait|1200|{\"Physic Stream Id\":65535,\"Task Id\":$((22 << 16 | 4660)),\"Notify Instruction ID\":9,\"Notify Rank ID\":0}"
	equal "$(made 'SELECT dpuDeviceId, globalTid, endNs - startNs, streamId, taskId, n.value, a.value ->> "Task Type"
		FROM DPU_TASK JOIN STRING_IDS n ON n.id = opName JOIN STRING_IDS a ON a.id = args WHERE streamId = 6')" \
		'2|77|20000|6|70000|N/A|AI_CPU'
}

@test "Ascend 950: the first and the last block of each kind of core of each run of a task have tracks" {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$PROF/host/info.json" "$PROF/device_0/info.json.0"
	for at in 2000 3000; do printf 'end=%s task_id=70000 counter=%s\n' 0 "$(device $at)" 1 "$(device $((at + 10)))"; done | record prof.v6_log "$DEVICE/stars_soc.data.0.slice_0"
	# of the second run no block of a vector core; of another time, and of another task, none counts
	while read -r type core from to; do echo "task_id=70000 core_type=$type core_id=$core begin=$(device "$from") end=$(device "$to")"; done <<-END |
		0 5 2003 2009
		0 6 2001 2004
		0 7 2002 2008
		1 30 2004 2006
		0 9 3001 3002
		0 8 2500 2501
	END
		record prof.v6_block "$DEVICE/ffts_profile.data.0.slice_0"
	record prof.v6_block "$DEVICE/ffts_profile.data.0.slice_1" <<<"task_id=70001 core_id=1 begin=$(device 2001) end=$(device 2004)"
	expect 0 export timeline -dir "$PROF"
	accounted
	equal "$(jq -c '.[] | select(.args | has("Core Id")) | [.name, .tid, .ts[10:], .dur, .args["Core Id"], .args["Task Id"]]' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" \
		'["Stream 65535 ",1,"002001.000",3,6,70000]
["Stream 65535 ",2,"002003.000",6,5,70000]
["Stream 65535 ",3,"002004.000",2,30,70000]
["Stream 65535 ",4,"002004.000",2,30,70000]
["Stream 65535 ",1,"003001.000",1,9,70000]
["Stream 65535 ",2,"003001.000",1,9,70000]'
	equal "$(jq -r '.[] | select(.pid / 32 % 32 == 2 and .ph == "M") | .args | (.name // .labels // .sort_index)' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sort -u)" \
		$'1\n2\n3\n34\n4\nAIC Earliest\nAIC Latest\nAIV Earliest\nAIV Latest\nBlock Detail\nNPU 0'
	expect 0 export timeline -dir "$PROF" --style guide
	equal "$(guide 'Block Detail, NPU 0')" "AIC Earliest|Stream 65535 |3|6
AIC Earliest|Stream 65535 |1|9
AIC Latest|Stream 65535 |6|5
AIC Latest|Stream 65535 |1|9
AIV Earliest|Stream 65535 |2|30
AIV Latest|Stream 65535 |2|30"
}

@test "Ascend 950: words of cores: parts that are busy from a change to the next, marks, blocks, over slices" {
	rm "$DEVICE"/stars_soc* "$DEVICE"/ffts_profile*
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$PROF/host/info.json" "$PROF/device_0/info.json.0"
	python3 - "$DEVICE" <<-'END'
		import struct, sys
		word = lambda kind, events, cycles: struct.pack("<HH", cycles, kind << 12 | events)
		def begin(count, block):
		    return b"".join(word(14, (block >> 8 * k & 255) if k < 2 else 9, count >> 16 * k & 65535) for k in range(4))
		end = b"\xff\xff\xff\xef" + b"\xdd" * 8
		cube = begin(50000000500, 300) + word(15, 0b100, 1850) + word(15, 0b101, 3700) + word(2, 77, 0) + word(15, 0, 1850) + end + begin(50000001000, 7) + word(15, 0b1000000, 0) + word(15, 0, 185)
		open(sys.argv[1] + "/instr.biu_perf_group0_aic.0.slice_0", "wb").write(cube[:18])
		open(sys.argv[1] + "/instr.biu_perf_group0_aic.0.slice_1", "wb").write(cube[18:])
		# a word before any time, and one that is never over
		open(sys.argv[1] + "/instr.biu_perf_group1_aiv0.0.slice_0", "wb").write(word(1, 5, 9) + begin(50000000000, 1) + word(6, 4095, 1850) + word(15, 1, 5))
	END
	expect 0 export timeline -dir "$PROF" --style guide
	accounted
	# 1850 cycles are a microsecond
	jq -r '.traceEvents[] | select(.ph == "X" and (.args | has("Block Id"))) | [.name, .dur, .args["Core Type"], .args["Block Id"], .args["Checkpoint Info"]] | map(tostring) | join("|")' \
		"$PROF/mindstudio_profiler_output/trace.json" >"$BATS_TEST_TMPDIR/parts"
	equal "$(sort "$BATS_TEST_TMPDIR/parts")" "CUBE|0|aic|300|77
CUBE|3|aic|300|null
FIXP|0.1|aic|7|null
FIXP|0|aiv0|1|4095
SU|1|aic|300|null"
	expect 0 export timeline -dir "$PROF"
	equal "$(jq -r '.[] | select(.args | type == "object" and has("Block Id")) | [.ts[10:], .tid, .name] | map(tostring) | join("|")' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json | sort)" \
		$'000001.000|1|FIXP\n000011.000|0|CUBE\n000013.000|0|CUBE\n000013.000|0|SU\n000020.000|0|FIXP'
	equal "$(jq -r '.[] | select(.name == "thread_name") | .args.name | select(startswith("Group"))' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" $'Group0-aic\nGroup1-aiv0'
}

@test "rarer files: parts of cores, the scheduler's processor, streams of graphs; what no layout reads bears its option" {
	record prof.instr_cube "$DEVICE/instr.group_0_aic.0.slice_0" <<<"vector=4095 scalar=1 lsu3_low=15 lsu3_high=255 read_latency=16777215"
	record prof.instr_vector "$DEVICE/instr.group_0_aiv1.0.slice_0" <<<"vector=7 stamp0=16777215 stamp1=1 stamp2=2"
	record prof.logic_stream_info "$HOST/unaging.additional.logic_stream_info.slice_0" <<<"logic_stream_id=3 stream_num=1"
	record prof.ts_cpu "$DEVICE/tscpu.data.0.slice_0" <<-END
		pc=4096 stamp=1 event0=17 count0=700 event1=8 count1=3
		pc=8192 stamp=2 event0=17 count0=300 event1=8 count1=40
		pc=8192 stamp=3 event0=17 count0=999 event1=237 count1=4
	END
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(rows ts_cpu_top_function)" $'0,0x1000,700,70.0\n0,0x2000,300,30.0'
	equal "$(rows ts_cpu_pmu_events)" $'0,0x8,Inst_retired,43\n0,0x11,Cpu_cycles,1000'
	equal "$(query 'SELECT vector, scalar, lsu3_high << 4 | lsu3_low, read_latency, stamp0 FROM instr_sample')" $'4095|1|4095|16777215|0\n7|0|0||16777215'
	names=("$HOST/aging.additional.memory_application.slice_0" "$DEVICE/nothing.we.know" "$HOST/unaging.variable.capture_op_info.slice_0"
		"$HOST/host_platform_uncore.bin" "$DEVICE/instr.biu_perf_group_0_aic.0.slice_0")
	for name in "${names[@]}"; do echo text >"$name"; done
	expect 0 import -dir "$PROF"
	has "$stderr" "files that are not understood: 5, with 25 bytes, made by --host-sys=mem, --instr-profiling=on, --task-memory=on, --task-time=on; 'msprof check' lists them"
	expect 0 check -dir "$PROF"
	has "$output" "host/data/aging.additional.memory_application.slice_0: made by --task-memory=on" "device_0/data/nothing.we.know"
}

@test "samples of processors of the device: functions and events of those for operators and of those for control, over slices" {
	cat >"$DEVICE/whole" <<-END
		swapper     0/0     [003]  1467.435610:    8017770 r11: 
		    ffff000008087e80 [unknown] ([unknown])

		aicpu sched 77/78    [002]  1467.500000:  400 r11:
		    ffff000008087e84 run(int, char)+0x14 (/usr/lib/libaicpu.so)
		    ffff000008087e90 main+0x4 (/usr/bin/aicpu)

		aicpu sched 77/78    [003]  1467.600000:  600 raw 0x11:
		    ffff000008087e88 run(int, char)+0x18 (/usr/lib/libaicpu.so)

		aicpu sched 77/78    [003]  1467.600000:  20 r016:
		    short
		    ffff000008087e88 a+b+0x18 (/usr/lib/libaicpu.so)

		ctl 5/5    [000]  1467.700000:  90 r11:u:
		    ffff000008087e88 tick ([kernel.kallsyms])

		ctl 5/5    [001]  1467.700001:  10 r0:
		other 6/6    [007]  1467.700002:  5 r11:
	END
	head -c 200 "$DEVICE/whole" >"$DEVICE/ai_ctrl_cpu.data.0.slice_0" # a line is cut
	tail -c +201 "$DEVICE/whole" >"$DEVICE/ai_ctrl_cpu.data.0.slice_1"
	rm "$DEVICE/whole"
	sed -i 's/"DeviceInfo":\[{/&"ai_cpu":"2,3","ctrl_cpu":"0,1",/' "$PROF/device_0/info.json.0"
	expect 0 export summary -dir "$PROF"
	accounted
	share() {
		python3 -c "print(round(100 * $1 / (8017770 + 1000), 3))"
	}
	equal "$(rows ai_cpu_top_function)" "0,unknown,[unknown],8017770,$(share 8017770)
0,\"run(int, char)\",/usr/lib/libaicpu.so,1000,$(share 1000)"
	equal "$(rows ai_cpu_pmu_events)" $'0,0x11,Cpu_cycles,8018770\n0,0x16,L2d_cache,20'
	equal "$(rows ctrl_cpu_top_function)" '0,tick,[kernel.kallsyms],90,100.0'
	equal "$(rows ctrl_cpu_pmu_events)" $'0,0x11,Cpu_cycles,90\n0,0x0,Sw_incr,10'
	equal "$(query 'SELECT core, function, module FROM cpu_count WHERE event IN (0, 22) OR kind IS NULL')" \
		$'3|a+b|/usr/lib/libaicpu.so\n1|unknown|unknown\n7|unknown|unknown'
}
