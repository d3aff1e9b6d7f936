#!/usr/bin/env bats
# ascend2022_tracks.bats: JOB directories of the 2022 generation: the tracks beside ACL and tasks, and their files.

load helpers

# line N of a summary
line() {
	sed -n "$1p" "$JOB/summary/$2" | tr -d '\r'
}

# the events of a timeline, one a line
events() {
	sed 's/},{"name"/},\n{"name"/g' "$JOB/timeline/$1"
}

@test "calls of the host: the runtime by name, the framework's phases and scheduling, each with a file and a track" {
	made extra=1
	printf '21:Conv\n22:infer\n' >"$JOB/data/Framework.hash_dic.0.slice_0"
	sed -i 's/"jobInfo"/"pid": "4711", "jobInfo"/' "$JOB/info.json.0"
	python3 - "$JOB/data/runtime.api.0.slice_0" <<-'END'
		import struct, sys
		with open(sys.argv[1], "wb") as f:
		    for name, thread, at, ns, bytes, way, stream, tasks in (("rtA", 78, 1000, 400, 64, 2, 3, (5, 6)), ("rtB", 79, 2000, 100, 64, 9, 65535, ()),
		        ("rtA", 79, 3000, 401, 0, 1, 4, (7,)), ("rtA", 80, 4000, 401, 8, 3, 5, ())):
		        ids = sum(((t, 0) for t in tasks), ()) + (0,) * (20 - 2 * len(tasks))
		        f.write(struct.pack("<HHI3Q64s3I20HH106x", 0x5a5a, 40, thread, 10 ** 12 + at, 10 ** 12 + at + ns, bytes, name.encode(), 0, stream,
		                            len(tasks), *ids, way))
	END
	expect 0 export summary -dir "$JOB" -q
	# of a name: the stream and the thread of the first of its longest calls, and a mean without a fraction
	equal "$(line 2 runtime_api_0_1.csv)" "rtA,4,92.319508,1202,3,400,400,401,4711,79"
	equal "$(line 3 runtime_api_0_1.csv)" "rtB,N/A,7.680492,100,1,100,100,100,4711,79"
	equal "$(line 2 ge_op_execute_0_1.csv)" "78,Conv,infer,1000000000.0,4.0"
	expect 0 export timeline -dir "$JOB" -q
	has "$(events runtime_api_0_1.json)" '{"name":"process_name","pid":4711,"tid":0,"args":{"name":"Runtime"},"ph":"M"}' \
		'{"name":"thread_sort_index","pid":4711,"tid":80,"args":{"sort_index":80},"ph":"M"}' \
		'"tid":78,"ts":1000000001.0,"dur":0.4,"args":{"Thread Id":78,"data size":"64 byte","memcpy direction":"device to host","stream id":3,"task id":"5,6"}' \
		'"tid":79,"ts":1000000002.0,"dur":0.1,"args":{"Thread Id":79}' '"ts":1000000003.0,"dur":0.401,"args":{"Thread Id":79}' \
		'"args":{"Thread Id":80,"data size":"8 byte","memcpy direction":"device to device"}'
	has "$(events ge_0_1.json)" '{"name":"Infer","pid":4711,"tid":78,"ts":0.03,"dur":0.02,"args":{"Model Name":"resnet","Model Id":1},"ph":"X"}'
	has "$(events ge_op_execute_0_1.json)" '{"name":"infer","pid":4711,"tid":78,"ts":1000000000.0,"dur":4.0,"ph":"X"}'
	lacks "$(events ge_op_execute_0_1.json)" thread_sort_index
	equal "$(line 4 ai_stack_time_0_1.csv)" "1,GE,Infer,30.0,20.0"
	has "$(events ai_stack_time_0_1.json)" '{"name":"Output","pid":4711,"tid":1,"ts":0,"dur":0,"args":{"Iter ID":1,"Start Time":60,"End Time":90,"Duration Time(ns)":30},"ph":"X"}'
	has "$(events thread_group_0_1.json)" '{"name":"GE_OP_EXECUTE@Conv_infer","pid":4711,"tid":"Thread 78","ts":1000000000.0,"dur":4.0,"ph":"X"}' \
		'{"name":"Runtime@rtB","pid":4711,"tid":"Thread 79"' '{"name":"GE@Output","pid":4711' '"args":{"Model Name":"resnet","Model ID":1}'
	has "$(events msprof_0_1.json)" '{"name":"process_sort_index","pid":"6_4711","tid":0,"args":{"sort_index":6},"ph":"M"}' \
		'{"name":"rtB","pid":"6_4711","tid":79' '{"name":"Input","pid":"4_4711"' '{"name":"infer","pid":"5_4711"'
}

@test "marks and ranges of the application: a summary, a timeline, and a track by their own process" {
	made
	python3 - "$JOB/data/Msprof.msproftx.slice_0" <<-'END'
		import struct, sys
		with open(sys.argv[1], "wb") as f:
		    for kind, tid, ns, text in ((1, 78, 700, b"range"), (0, 79, 0, b""), (7, 78, 5, b"odd")):
		        f.write(struct.pack("<HHIIIIIQQQI128s76x", 0x5a5a, 31, 55, tid, 9, kind, 2, 5, 10 ** 12, 10 ** 12 + ns, 1, text))
	END
	expect 0 export summary -dir "$JOB" -q
	equal "$(line 1 msprof_tx_0_1.csv)" \
		"pid, tid, category, event_type, payload_type, payload_value, Start_time(ns), End_time(ns), message_type, message"
	equal "$(line 2 msprof_tx_0_1.csv)" "55,78,9,push/pop,2,5,1000000000000,1000000000700,1,range"
	equal "$(line 3 msprof_tx_0_1.csv)" "55,79,9,marker,2,5,1000000000000,1000000000000,1,"
	equal "$(line 4 msprof_tx_0_1.csv)" "55,78,9,,2,5,1000000000000,1000000000005,1,odd"
	expect 0 export timeline -dir "$JOB" -q
	has "$(events msprof_tx_0_1.json)" '{"name":"range","pid":55,"tid":78,"ts":1000000000.0,"dur":0.7,"args":{"Category":"9","Payload_type":2,'`
		`'"Payload_value":5,"Message_type":1,"event_type":"push/pop"},"ph":"X"}'
	has "$(events msprof_0_1.json)" '{"name":"process_name","pid":"0_55","tid":0,"args":{"name":"MsprofTx"},"ph":"M"}' '{"name":"odd","pid":"0_55","tid":78'
}

# the device's clock is 77 ns at 10^12 ns of the host
@test "ports, links between cards, engines for pictures, processors and memory: texts of numbers" {
	made
	sed -i 's/"id": 0,/"id": 0, "ctrl_cpu": "0,2", "ai_cpu": "11",/' "$JOB/info.json.0"
	port=$'timestamp bandwidth(Mbps) rxPacket/s and so on\n1077:  100 10 2000000 100 1000 3 1 5 1000000 50 5000 2 7 1\n'
	port+=$'2077: 100 30 4000000 200 3000 5 3 15 3000000 0 9000 4 9 1\n3077: 0 1 1 1 1 1 1 1 1 1 1 1 1 2\n'
	printf '%s' "$port" >"$JOB/data/nic.data.0.slice_0"
	printf '5077 100 10 2000000 100 1000 3 1 5 1000000 50 5000 2 7\n' >"$JOB/data/roce.data.0.slice_0"
	printf 'timestamp tx rx\n1077: 4294967290 5\n1001077: 1048570 1048581\n' >"$JOB/data/hccs.data.0.slice_0"
	printf '%s 7 4 %s 1 %s 1%% 1 1 1%% 1 1\n' 0 1 100 2 2 1100 5000000 4 600 >"$JOB/data/dvpp.data.0.slice_0"
	sed -i 's/^0 7 4 1 1 100/0 7 4 1 100 3/; s/^2 7 4 2 1 1100/2000 7 4 1 1100 5/; s/^5000000 7 4 4 1 600/5000 7 1 1 600 5/' "$JOB/data/dvpp.data.0.slice_0"
	for i in 1 2; do
		printf 'TimeStamp:%s00\nIndex:%s\ncpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 0 2 3 4 0 0 0 0 0\ncpu2 1 0 2 3 0 0 0 0 0 0\ncpu1 9 9 9 9 9 9 9 9 9 9\ncpu11 %s 0 0 0 0 0 0 0 0 1\n\n' $i $i $i
	done >"$JOB/data/SystemCpuUsage.data.0.slice_0"
	printf 'TimeStamp:%s\nMemTotal:  100 kB\nMemFree:   %s kB\nCached: 7 kB\nSwapCached: 70 kB\nHugePages_Free:    3\n\n' 1 10 2 15 >"$JOB/data/Memory.data.0.slice_0"
	expect 0 export summary -dir "$JOB" -q
	# 16,000 bits in 1000 ns of 100 * 2^20; errors received are those of all ports, here 3 a line
	equal "$(line 2 nic_0_1.csv)" "1000.0,100,0.0,0.04,7.5%,5.0%,0.0,0.02,15.0%,80.0%,1"
	equal "$(line 3 nic_0_1.csv)" "0.0,0,0,1.0,1.0,1.0,0,1.0,1.0,1.0,2"
	equal "$(line 2 roce_0_1.csv)" "0.0,100,0,10.0,0.03,0.01,0,5.0,0.04,0.14,0"
	# the first count of tx wraps
	equal "$(line 2 hccs_0_1.csv)" "Tx (MB/s),999.999046,999.999046,999.999046"
	equal "$(line 3 hccs_0_1.csv)" "Rx (MB/s),1000.0,1000.0,1000.0"
	equal "$(line 2 dvpp_0_1.csv)" "7,JPEGD,1,0.0,0.0,0.000000"
	equal "$(line 3 dvpp_0_1.csv)" "7,VPC,1,1000.0,2.0,0.000000"
	equal "$(line 2 cpu_usage_0_1.csv)" "aicpu,60.000000,0.000000,0.000000,0.000000,0.000000,0.000000"
	equal "$(line 3 cpu_usage_0_1.csv)" "ctrlcpu,12.500000,25.000000,25.000000,0.000000,0.000000,37.500000"
	equal "$(line 2 sys_mem_0_1.csv)" "100,12,N/A,7,N/A,N/A,N/A,N/A,3"
	expect 0 export timeline -dir "$JOB" -q
	has "$(events nic_0_1.json)" '"name":"Port 1/Rx","ts":1000000001.0,"pid":0,"tid":0,"args":{"Rx Bandwidth Efficiency":0.153,"Rx Packets":10.0,"Rx Error Rate":0.03,'`
		`'"Rx Dropped Rate":0.01},"ph":"C"}' '"name":"Port 1/Tx","ts":1000000002.0,"pid":0,"tid":0,"args":{"Tx Bandwidth Efficiency":0.229,"Tx Packets":15.0},"ph":"C"}'
	lacks "$(events nic_0_1.json)" "Port 2"
	equal "$(events hccs_0_1.json | grep -c process_name)" 1
	has "$(events msprof_0_1.json)" '{"name":"Port 0/Tx","ts":1000000005.0,"pid":"13_0"' '{"name":"process_sort_index","pid":"12_0","tid":0,"args":{"sort_index":12},"ph":"M"}' \
		'{"name":"Rx","ts":1000001001.0,"pid":"11_0","tid":0,"args":{"Rx(MB/s)":1000.0' '{"name":"process_name","pid":"11_0","tid":0,"args":{"name":"HCCS"},"ph":"M"}'
	# no engines for pictures on chip 3
	sed -i 's/"platform_version": "1"/"platform_version": "3"/' "$JOB/info.json.0"
	discard "$JOB/summary"
	expect 0 export summary -dir "$JOB" -q
	[ ! -e "$JOB/summary/dvpp_0_1.csv" ]
}

@test "curves of memories, caches and PCIe: each a file and a track" {
	made extra=1
	sed -i 's/^{/{"llc_profiling": "read", /' "$JOB/sample.json"
	expect 0 export timeline -dir "$JOB" -q
	# what was read stands twice, like in the reference; an event of the cache alone is no sum
	equal "$(events ddr_0_1.json | grep -c '"DDR/Read","ts":1000002000.0,"pid":0,"tid":0,"args":{"Read(MB/s)":125.0}')" 2
	equal "$(events ddr_0_1.json | grep -c '"DDR/Write","ts":1000001000.0,"pid":0,"tid":0,"args":{"Write(MB/s)":125.0}')" 1
	has "$(events hbm_0_1.json)" '{"name":"HBM 0/Write","ts":1000003000.0,"pid":0,"tid":0,"args":{"Write(MB/s)":62.5},"ph":"C"}'
	has "$(events llc_read_write_0_1.json)" '{"name":"LLC 0 Read/Hit Rate","ts":1000000000.0,"pid":0,"tid":0,"args":{"Hit Rate(%)":0.0},"ph":"C"}'
	has "$(events pcie_0_1.json)" '{"name":"PCIe_nonpost_latency","ts":1000000000.923,"pid":0,"tid":0,"args":{"Tx":11.0,"Rx":0},"ph":"C"}' \
		'"name":"PCIe_post","ts":1000000000.923,"pid":0,"tid":0,"args":{"Tx":2.0,"Rx":14.0}'
	has "$(events msprof_0_1.json)" '{"name":"DDR/Write","ts":1000003000.0,"pid":"9_0"' '{"name":"HBM 0/Read","ts":1000004000.0,"pid":"8_0"' '"pid":"16_0"' \
		'{"name":"PCIe_cpl","ts":1000000000.923,"pid":"10_0"'
}

@test "summaries of rarer files: runtime_api, fusion_op, dp, ge_op_execute" {
	made extra=1
	printf '11:conv1\n12:relu1\n21:Conv\n22:infer\n' >"$JOB/data/Framework.hash_dic.0.slice_0"
	expect 0 export summary -dir "$JOB" -q
	equal "$(line 2 runtime_api_0_1.csv)" "KernelLaunch,3,66.666667,3000,2,1500,1500,1500,0,78"
	equal "$(line 2 fusion_op_0_1.csv)" "resnet,1,conv_relu,conv1;relu1,1024,2048,512,0,3584"
	equal "$(line 2 dp_0_1.csv)" "12345,Last queue,iterator,4"
	equal "$(line 2 ge_op_execute_0_1.csv)" "78,Conv,infer,1000000000.0,4.0"
	rm "$JOB/data/Framework.hash_dic.0.slice_0"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT hash FROM fusion_member')" $'11\n12'
}

# A sample's rate is over the time since the previous sample: the first of DDR counts from the beginning, the first of others is 0.
# 4096 accesses of 256 bits are 128 KiB.
@test "summaries of memories, caches and links" {
	made extra=1
	sed -i 's/^{/{"llc_profiling": "write", "l2CacheTaskProfilingEvents": "0x5b, 0x59,0x5C", /' "$JOB/sample.json"
	python3 - "$JOB/data/llc.data.0.slice_0" <<-'END'
		import struct, sys
		# hits are events 0x03, 0x14, 0x23 and 0x37 of the accesses 0x21 and 0x35; events 0 and 1 are lines of 64 bytes; there is no cache 9
		samples = [(1000, 1, (1024, 1024, 10, 20, 60, 30, 40, 15)), (65000, 1, (2048, 0, 5, 5, 40, 5, 60, 10)), (2000, 3, (1, 1, 1, 1, 1, 1, 1, 0)),
		           (34000, 3, (512, 512, 1, 1, 4, 1, 0, 1)), (1000, 9, (1,) * 8)]
		with open(sys.argv[1], "wb") as f:
		    for at, cache, counts in samples:
		        for event, count in zip((0, 1, 3, 0x14, 0x21, 0x23, 0x35, 0x37, 0x22), counts + (99,)):
		            f.write(struct.pack("<QQII", at, count, event, cache))
	END
	expect 0 export summary -dir "$JOB" -q
	equal "$(tr -d '\r' <"$JOB/summary/ddr_0_1.csv")" $'Metric,Read(MB/s),Write(MB/s)\nAverage,62.5,62.5'
	equal "$(tr -d '\r' <"$JOB/summary/hbm_0_1.csv")" $'Metric,Read(MB/s),Write(MB/s)\nAverage,31.25,31.25\n0,31.25,31.25'
	# 2048 lines in 64 ms, and 1024 in 32 ms, are 125 KiB and 62.5 KiB, 64 times a second of 1000 and of 500 ms: 125 MB/s, and 0 before
	equal "$(tr -d '\r' <"$JOB/summary/llc_read_write_0_1.csv")" \
		$'Mode,Task,Hit Rate(%),Throughput(MB/s)\nwrite,Average,0.875,62.5\nwrite,1,0.5,62.5\nwrite,3,1.25,62.5'
	equal "$(line 1 pcie_0_1.csv),$(line 2 pcie_0_1.csv),$(line 5 pcie_0_1.csv)" \
		"Mode,Min,Max,Avg,Tx_p_avg(MB/s),0.0,0.953674,1.907349,Tx_latency_avg(MB/s),8.583069,9.536743,10.490417"
	equal "$(wc -l <"$JOB/summary/pcie_0_1.csv")" 8
	equal "$(tr -d '\r' <"$JOB/summary/l2_cache_0_1.csv")" $'Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n3,1,0.0,2.0,net/Op_0'
	# chip 3 has other events and the same width; chip 0 is half as wide, and its caches are not known
	sed -i 's/"platform_version": "1"/"platform_version": "3"/' "$JOB/info.json.0"
	sed -i 's/0x5b, 0x59,0x5C/0x78,0x79,0x7c,0x71,0x6a/' "$JOB/sample.json"
	expect 0 export summary -dir "$JOB" -q
	equal "$(line 2 l2_cache_0_1.csv),$(line 2 ddr_0_1.csv)" "3,1,4.0,3.0,net/Op_0,Average,62.5,62.5"
	sed -i 's/"platform_version": "3"/"platform_version": "0"/' "$JOB/info.json.0"
	discard "$JOB/summary"
	expect 0 export summary -dir "$JOB" -q
	equal "$(line 2 ddr_0_1.csv)" "Average,31.25,31.25"
	[ ! -e "$JOB/summary/llc_read_write_0_1.csv" ]
	[ ! -e "$JOB/summary/l2_cache_0_1.csv" ]
}

@test "raw files in the job itself, and captures of nothing but step traces or the AI CPU" {
	made tasks=3 steps=2
	expect 0 export summary -dir "$JOB" -q
	cp -r "$JOB/summary" "$BATS_TEST_TMPDIR/before"
	discard "$JOB/summary" "$JOB/sqlite"
	mv "$JOB"/data/* "$JOB"
	rmdir "$JOB/data"
	expect 0 export summary -dir "$JOB" -q
	diff -r "$BATS_TEST_TMPDIR/before" "$JOB/summary"
	expect 0 check -dir "$JOB"
	lacks "$output" "not understood"
	rm "$JOB"/Framework* "$JOB"/AclModule* "$JOB"/hwts* "$JOB"/aicore*
	discard "$JOB/summary" "$JOB/sqlite"
	expect 0 export summary -dir "$JOB"
	lacks "$stderr" "no inference data"
	equal "$(ls "$JOB/summary")" step_trace_0_1_1.csv
	mkdir "$BATS_TEST_TMPDIR/0"
	echo "Default/Op_0 1 5 3" >"$BATS_TEST_TMPDIR/0/Framework.host.vm.task_desc_info.0.JOB2.slice_0"
	python3 - "$BATS_TEST_TMPDIR/0" <<-'END'
		import struct, sys
		with open(sys.argv[1] + "/training_trace.46.dev.profiler_default_tag.0.slice_0", "wb") as f:
		    f.write(struct.pack("<QHHQ", 1, 5, 3, 700))
	END
	expect 0 check -dir "$BATS_TEST_TMPDIR/0" --format csv --table files
	has "$output" "task_desc_info.0.JOB2.slice_0"
	lacks "$output" "not understood"
	expect 0 export summary -dir "$BATS_TEST_TMPDIR/0" -q
	equal "$(tail -1 "$BATS_TEST_TMPDIR/0/summary/step_trace_0_1.csv" | tr -d '\r')" 1,3,5,700,7000
}
