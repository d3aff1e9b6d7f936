#!/usr/bin/env bats
# prof_comm.bats: PROF directories: collective operations, and copies.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

name() { # N: the hash of a name of the generator
	echo $((8000000000000000001 + $1))
}

# Operations of thread 777: "layer50:Op0" of group 60 from 1500 to 1600 us, again from 1700 us, and one of group 63 from 1800 us.
# Each has three steps, launched in calls of the level of communication; the third is a kernel on the vector's stream.
# With types=1 each is of another type, the first of the last; vector=HASH makes the kernels ones of the vector core of that name.
collectives() {
	local kind=${vector:+AIVEC}

	printf '5500_65537:master\n5500_65538:slave\n5000_900:KERNEL_%s\n5000_901:NOTIFY_RECORD\n5000_902:MEMCPY_ASYNC\n5000_903:FFTS_PLUS\n' "${kind:-AICORE}" \
		>"$HOST/aging.additional.type_info_dic.slice_0"
	for at in 1500 1700 1800; do
		group=$(name $((at == 1800 ? 63 : 60)))
		echo "level=10000 type=1 thread_id=777 begin=$(host $at) end=$(host $((at + 90))) item_id=$(name 50)" >>calls
		echo "level=10000 thread_id=777 data_len=40 stamp=$(host $((at + 88))) op_name=$(name 50) op_type=1700000000000000000$((3 + ${types:-0} * (1800 - at) / 100)) task_type=9" >>nodes
		echo "level=10000 thread_id=777 stamp=$(host $((at + 89))) data_type=3 alg_type=$(name 60) count=77 group_name=$group retry=1" >>said
		for k in 0 1 2; do
			t=$((at + 10 + 20 * k))
			echo "level=5500 type=$((k ? 65538 : 65537)) thread_id=777 begin=$(host $t) end=$(host $((t + 10))) item_id=$(name $((70 + k)))" >>calls
			echo "level=5000 type=802 thread_id=777 data_len=24 stamp=$(host $((t + 5))) stream_id=$((20 + k)) task_id=$at task_type=$((900 + (k + 1) % 3)) kernel_name=${vector:-0}" >>launches
			echo "level=5500 thread_id=777 stamp=$(host $((t + 6))) item_id=$(name $((70 + k))) group_name=$group local_rank=1 remote_rank=$k rank_size=8 plane_id=$k" \
				"context_id=4294967295 size=3000 link_type=1 transport_type=0 data_type=3 rdma_type=255 notify_id=5 estimate=$((k ? 0 : 4611686018427387904))" >>steps
			echo "end=0 stream_id=$((20 + k)) task_id=$at counter=$(device $((at + 2000 + 10 * k))) task_type=11" >>runs
			echo "end=1 stream_id=$((20 + k)) task_id=$at counter=$(device $((at + 2006 + 10 * k)))" >>runs
		done
	done
	put
}

# The records of the files of setup's kinds.
put() {
	record prof.api "$HOST/aging.api_event.data.slice_0" <calls
	record prof.node_basic_info "$HOST/aging.compact.node_basic_info.slice_0" <nodes
	record prof.task_track "$HOST/aging.compact.task_track.slice_0" <launches
	[ ! -e said ] || record prof.hccl_op_info "$HOST/unaging.compact.hccl_op_info.slice_0" <said
	[ ! -e steps ] || record prof.hccl_info "$HOST/unaging.additional.hccl_info.slice_0" <steps
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <runs
}

layer() { # PROCESS FILTER: of the trace
	jq -r --argjson p "$1" ".[] | select((.pid / 32 % 32 | floor) == \$p) | $2" "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json
}

@test "collective operations: names, spans and steps, in tables, statistics and on tracks of the trace" {
	cd "$BATS_TEST_TMPDIR"
	collectives
	expect 0 import -dir "$PROF"
	accounted
	# an operation spans its steps of the master stream
	equal "$(query 'SELECT name, start_ns, end_ns, rank_size, count, retry FROM comm_op ORDER BY start_ns')" \
		$'layer50:Op0_061_0_1|1000003500000|1000003506000|8|77|1\nlayer50:Op0_061_1_1|1000003700000|1000003706000|8|77|1\nlayer50:Op0_064_0_1|1000003800000|1000003806000|8|77|1'
	equal "$(query 'SELECT t.stream_id, info_row, is_master, bandwidth FROM comm_task JOIN task t USING (id) JOIN comm_op o ON o.id = op_id WHERE o.name LIKE "%64_0_1" ORDER BY t.id')" \
		$'20|7|1|0.5\n21|8|0|0.5\n22|9|0|0.5'
	# only a kernel has an operator: of the name of its call
	equal "$(query 'SELECT t.task_id, n.name, k.name FROM task t LEFT JOIN name n ON n.hash = op_name LEFT JOIN node_kind k ON k.kind = node_type WHERE stream_id IN (20, 22) AND task_id < 1800 ORDER BY t.id')" \
		$'1500||\n1500|layer72:Op2|COMMUNICATION\n1700||\n1700|layer72:Op2|COMMUNICATION'
	expect 0 export summary -dir "$PROF"
	equal "$(rows communication_statistic)" "0,Op2,3,18,6,6,6,100"
	has "$(rows api_statistic)" "host,communication,layer70:Op0,30,3,10,10,10,0"
	# an operation is a row like an operator; its kernels and other steps are not
	waited=$(query "SELECT printf('%.6f', (1000003500000 - max(start_ns + dur_ns)) / 1000.0) FROM task WHERE is_op = 1 AND start_ns < 1000003500000")
	equal "$(rows op_summary | grep COMMUNICATION | cut -d, -f1-14 | tr '\t' _)" \
'0,4294967295,N/A,N/A,layer50:Op0_061_0_1,Op2,N/A,COMMUNICATION,1700000000003500.000_,6.000,'"$waited"',0,N/A,N/A
0,4294967295,N/A,N/A,layer50:Op0_061_1_1,Op2,N/A,COMMUNICATION,1700000000003700.000_,6.000,194.000000,0,N/A,N/A
0,4294967295,N/A,N/A,layer50:Op0_064_0_1,Op2,N/A,COMMUNICATION,1700000000003800.000_,6.000,94.000000,0,N/A,N/A'
	expect 0 export timeline -dir "$PROF"
	equal "$(layer 16 'select(.name == "thread_name") | "\(.tid) \(.args.name)"' | sort -n)" \
		$'0 Group layer60:Op0 Communication\n1 Plane 0\n2 Plane 1\n3 Plane 2\n4 Group layer63:Op3 Communication\n5 Plane 0\n6 Plane 1\n7 Plane 2'
	equal "$(layer 16 'select(.ph == "X") | [.name, .tid, .ts, .dur] | map(tostring) | join(" ")' | sort | head -4)" \
'layer50:Op0_061_0_1 0 1700000000003500.000 6
layer50:Op0_061_1_1 0 1700000000003700.000 6
layer50:Op0_064_0_1 4 1700000000003800.000 6
layer70:Op0 1 1700000000003500.000 6'
	equal "$(layer 16 'select(.name == "layer70:Op0" and .tid == 5) | .args | tojson')" \
'{"notify_id":"5","duration estimated(us)":2,"stream id":20,"task id":1800,"context id":4294967295,"task type":"layer70:Op0","src rank":1,"dst rank":0,'\
'"transport type":"SDMA","size(Byte)":3000,"data type":"FP16","link type":"HCCS","bandwidth(GB/s)":0.5,"model id":4294967295}'
	equal "$(layer 7 'select(.args.level == "communication") | [.name, .args.Mode, .args.item_id] | join(" ")' | sort | uniq -c | sed 's/^ *//')" \
		$'3 Communication@layer70:Op0 master layer70:Op0\n3 Communication@layer71:Op1 slave layer71:Op1\n3 Communication@layer72:Op2 slave layer72:Op2'
	# kernels of operations compute, other steps do not
	equal "$(layer 31 'select(.ph == "X" and (.name | startswith("Communication"))) | [.name, .ts, .dur] | map(tostring) | join(" ")' | sort | head -4)" \
		$'Communication 1700000000003500.000 6\nCommunication 1700000000003700.000 6\nCommunication 1700000000003800.000 6\nCommunication(Not Overlapped) 1700000000003500.000 6'
	equal "$(query 'SELECT count(*) FROM overlap WHERE kind = 0 AND start_ns >= 1000003500000')" 3
	equal "$(query 'SELECT (SELECT max(end_ns) - min(start_ns) FROM overlap) - sum(end_ns - start_ns) FROM overlap WHERE kind <> 1')" 0
	printf '{"json_process": {"communication": false}}' >off.json
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export timeline -dir "$PROF" --reports off.json
	equal "$(layer 16 .name)" ""
}

@test "kernels of collective operations are rows of op_summary, not of the statistic, and keep their names" {
	cd "$BATS_TEST_TMPDIR"
	vector=$(name 7) collectives
	expect 0 export summary -dir "$PROF"
	equal "$(rows op_summary | grep -c ',22,layer72:Op2,')" 3
	equal "$(rows op_statistic | cut -d, -f3 | sort -u)" AI_CORE
	equal "$(rows op_statistic | awk -F, '{s += $9} END {print (s > 99.9)}')" 1
	equal "$(rows task_time | grep ,22, | cut -d, -f2 | sort -u)" layer7:Op7
}

@test "older chips: op_summary has operations and their kernels; of operations that took equally long the first stands first" {
	cd "$BATS_TEST_TMPDIR"
	types=1
	collectives
	sed -i 's/"platform_version":"5"/"platform_version":"7"/' "$PROF/device_0/info.json.0"
	expect 0 export summary -dir "$PROF"
	equal "$(rows communication_statistic | cut -d, -f2-4)" $'Op5,1,6.0\nOp3,1,6.0\nOp2,1,6.0'
	equal "$(rows op_summary | grep COMMUNICATION | cut -d, -f3-6,8,10)" \
'N/A,N/A,layer50:Op0_061_0_1,Op5,COMMUNICATION,6.0
1500,22,layer72:Op2,Op5,COMMUNICATION,6.0
N/A,N/A,layer50:Op0_061_1_1,Op3,COMMUNICATION,6.0
1700,22,layer72:Op2,Op3,COMMUNICATION,6.0
N/A,N/A,layer50:Op0_064_0_1,Op2,COMMUNICATION,6.0
1800,22,layer72:Op2,Op2,COMMUNICATION,6.0'
}

@test "collective operations without a description of their steps, or of themselves" {
	cd "$BATS_TEST_TMPDIR"
	collectives
	discard "$HOST"/unaging.additional.hccl_info.slice_0* "$HOST"/unaging.compact.hccl_op_info.slice_0*
	expect 0 export db -dir "$PROF"
	made=$(echo "$PROF"/msprof_*.db)
	equal "$(sqlite3 "$made" 'SELECT n.value, g.value, relay, dataType, a.value, count, rankSize FROM COMMUNICATION_OP
		JOIN STRING_IDS n ON n.id = opName JOIN STRING_IDS g ON g.id = groupName JOIN STRING_IDS a ON a.id = algType ORDER BY startNs LIMIT 1')" \
		'layer50:Op0_N/A_0_1|N/A|-1|65534|N/A|-1|0'
	equal "$(sqlite3 "$made" 'SELECT n.value, t.value, planeId, notifyId, size, isMaster FROM COMMUNICATION_TASK_INFO
		JOIN STRING_IDS n ON n.id = name JOIN STRING_IDS t ON t.id = taskType ORDER BY globalTaskId LIMIT 2')" \
		$'layer50:Op0_N/A_0_1|N/A|4294967295|-1|-1|1\nlayer50:Op0_N/A_0_1|N/A|4294967295|-1|-1|0'
}

@test "sub-tasks are steps where the call names their contexts; of several descriptions the last counts" {
	cd "$BATS_TEST_TMPDIR"
	collectives
	rm calls nodes launches said steps runs
	echo "level=10000 type=1 thread_id=778 begin=$(host 2500) end=$(host 2590) item_id=$(name 50)" >calls
	echo "level=5500 type=65537 thread_id=778 begin=$(host 2510) end=$(host 2580) item_id=$(name 75)" >>calls
	echo "level=10000 thread_id=778 data_len=40 stamp=$(host 2588) op_name=$(name 50) op_type=17000000000000000003 task_type=9" >nodes
	echo "level=5000 type=802 thread_id=778 data_len=24 stamp=$(host 2520) stream_id=30 task_id=1 task_type=903" >launches
	for k in 0 1 2 1; do
		echo "level=5500 thread_id=778 stamp=$(host 2570) item_id=$(name $((80 + k))) group_name=$(name 60) rank_size=4 plane_id=$k context_id=$k size=$((${n:-0} + 7))" >>steps
		n=$((${n:-0} + 1))
	done
	record prof.api "$HOST/aging.api_event.data.slice_1" <calls
	record prof.node_basic_info "$HOST/aging.compact.node_basic_info.slice_1" <nodes
	record prof.task_track "$HOST/aging.compact.task_track.slice_1" <launches
	record prof.hccl_info "$HOST/unaging.additional.hccl_info.slice_1" <steps
	record prof.context_id_info "$HOST/unaging.additional.context_id_info.slice_1" <<<"level=5500 thread_id=778 stamp=$(host 2575) op_name=$(name 75) context_num=2 contexts=u32:1,2"
	printf 'end=%s stream_id=30 task_id=1 counter=%s\n' 0 "$(device 5000)" 1 "$(device 5100)" | record prof.acsq "$DEVICE/stars_soc.data.0.slice_2"
	for k in 0 1 2; do
		printf "end=%s stream_id=30 task_id=1 context_id=$k subtask_type=8 counter=%s\n" 0 "$(device $((5010 + 10 * k)))" 1 "$(device $((5015 + 10 * k)))"
	done | record prof.ffts_log "$DEVICE/stars_soc.data.0.slice_3"
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT o.name, o.start_ns, o.end_ns, t.context_id, n.name, h.size FROM comm_task c JOIN task t USING (id) JOIN comm_op o ON o.id = op_id
		JOIN hccl_info h ON h.rowid = info_row JOIN name n ON n.hash = item_id WHERE t.stream_id = 30 ORDER BY c.id')" \
		$'layer50:Op0_061_2_1|1000005020000|1000005035000|1|layer81:Op1|10\nlayer50:Op0_061_2_1|1000005020000|1000005035000|2|layer82:Op2|9'
}

@test "payloads share the bandwidth up to the end of their transfer" {
	cd "$BATS_TEST_TMPDIR"
	collectives
	rm calls nodes launches said steps runs
	# item 51: two payloads and four further tasks on one plane; then a payload whose transfer has no end
	echo "level=10000 type=1 thread_id=779 begin=$(host 3500) end=$(host 3590) item_id=$(name 51)" >calls
	for k in 0 1 2 3 4 5 6; do
		t=$((3500 + 10 * k))
		echo "level=5500 type=65537 thread_id=779 begin=$(host $((t + 1))) end=$(host $((t + 9))) item_id=$(name 75)" >>calls
		echo "level=5000 type=802 thread_id=779 data_len=24 stamp=$(host $((t + 5))) stream_id=31 task_id=$k task_type=901" >>launches
		echo "level=5500 thread_id=779 stamp=$(host $((t + 6))) item_id=$(name 75) group_name=$(name 60) context_id=4294967295 size=8000 rdma_type=$((k < 2 || k == 6 ? 1 : 0))" >>steps
		printf "end=%s stream_id=31 task_id=$k counter=%s\n" 0 "$(device $((6000 + 10 * k)))" 1 "$(device $((6005 + 10 * k)))" >>runs
	done
	record prof.api "$HOST/aging.api_event.data.slice_1" <calls
	record prof.task_track "$HOST/aging.compact.task_track.slice_1" <launches
	record prof.hccl_info "$HOST/unaging.additional.hccl_info.slice_1" <steps
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_2" <runs
	expect 0 import -dir "$PROF"
	# two payloads: 16000 bytes from 6000 to 6055 us; the last one has no end: 8000 bytes in 5 us
	equal "$(query 'SELECT round(1000 * bandwidth) FROM comm_task JOIN task t USING (id) WHERE stream_id = 31 ORDER BY id')" \
		$'291.0\n291.0\n1600.0\n1600.0\n1600.0\n1600.0\n1600.0'
}

@test "analyze: what operations moved, how long they took and waited, from rank to rank" {
	cd "$BATS_TEST_TMPDIR"
	collectives
	rm calls nodes launches said steps runs
	printf '8000000000000000901:Memcpy\n8000000000000000902:Notify_Wait\n8000000000000000903:RDMASend\n8000000000000000904:hcom_allReduce_\n' \
		>"$HOST/aging.additional.hash_dic.slice_0"
	# on plane 0: a wait of 2 us, a copy over HCCS of 5 us and one within the device, a wait; on plane 1 a payload and what completes it
	echo "level=10000 type=1 thread_id=780 begin=$(host 4500) end=$(host 4690) item_id=8000000000000000904" >calls
	k=0
	while read -r plane item transport link rdma rank size start us; do
		t=$((4500 + 10 * k))
		echo "level=5500 type=$((65537 + plane)) thread_id=780 begin=$(host $((t + 1))) end=$(host $((t + 9))) item_id=$(name 75)" >>calls
		echo "level=5000 type=802 thread_id=780 data_len=24 stamp=$(host $((t + 5))) stream_id=$((40 + plane)) task_id=$k task_type=901" >>launches
		echo "level=5500 thread_id=780 stamp=$(host $((t + 6))) item_id=8000000000000000$item group_name=$(name 60) context_id=4294967295 plane_id=$plane" \
			"transport_type=$transport link_type=$link rdma_type=$rdma local_rank=3 remote_rank=$rank size=$size" >>steps
		printf "end=%s stream_id=$((40 + plane)) task_id=$k counter=%s\n" 0 "$(device $((7000 + start)))" 1 "$(device $((7000 + start + us)))" >>runs
		k=$((k + 1))
	done <<-END
		0 902 0 1 255 4294967295 0 0 2
		0 901 0 1 255 4 40000000 2 5
		0 901 0 0 255 4294967295 1000 7 1
		0 902 0 1 255 4 0 8 3
		1 903 1 3 1 5 1000000 0 1
		1 903 1 3 0 5 4 2 1
		1 902 0 3 255 5 0 3 1
		1 903 1 3 0 5 4 4 1
		1 902 0 3 255 5 0 6 2
	END
	record prof.api "$HOST/aging.api_event.data.slice_1" <calls
	record prof.task_track "$HOST/aging.compact.task_track.slice_1" <launches
	record prof.hccl_info "$HOST/unaging.additional.hccl_info.slice_1" <steps
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_2" <runs
	expect 0 analyze -dir "$PROF"
	key=hcom_allReduce__061_2_1@8000000000000000061
	equal "$(jq -c --arg k $key '.[$k]["Communication Time Info"]' "$PROF/analyze/communication.json")" \
		'{"Start Timestamp(us)":1700000000007000,"Elapse Time(ms)":0.011,"Transit Time(ms)":0.005,"Wait Time(ms)":0.005,'\
'"Synchronization Time(ms)":0.002,"Idle Time(ms)":0.0009999999999999992,"Wait Time Ratio":0.5,"Synchronization Time Ratio":0.2857}'
	equal "$(jq -c --arg k $key '.[$k]["Communication Bandwidth Info"] | .HCCS, .RDMA, .SDMA, .SIO' "$PROF/analyze/communication.json")" \
'{"Transit Size(MB)":40,"Transit Time(ms)":0.005,"Bandwidth(GB/s)":8000,"Large Packet Ratio":1,"Size Distribution":{"40.0":[1,0.005]}}
{"Transit Size(MB)":1,"Transit Time(ms)":0.008,"Bandwidth(GB/s)":125,"Large Packet Ratio":1,"Size Distribution":{"1.0":[1,0.008]}}
{"Transit Size(MB)":40,"Transit Time(ms)":0.005,"Bandwidth(GB/s)":8000,"Large Packet Ratio":0,"Size Distribution":{}}
{"Transit Size(MB)":0,"Transit Time(ms)":0,"Bandwidth(GB/s)":0,"Large Packet Ratio":0,"Size Distribution":{}}'
	equal "$(jq -c --arg k $key '.[$k] | to_entries[] | [.key, .value[]]' "$PROF/analyze/communication_matrix.json")" \
		$'["3-4","HCCS",40,0.005,8000]\n["3-3","LOCAL",0.001,0.001,1]\n["3-5","RDMA",1,0.008,125]'
	equal "$(jq -c --arg k $key '.[$k]["3-3"] | keys_unsorted' "$PROF/analyze/communication_matrix.json")" \
		'["Transport Type","Transit Size(MB)","Transit Time(ms)","Bandwidth(GB/s)"]'
	equal "$(jq -c '."Total HCCL Operators"["3-5"]["Transit Size(MB)"]' "$PROF/analyze/communication_matrix.json")" 1
	# the database has the same numbers, exactly
	equal "$(python3 "$HELPERS/analysis_db.py" "$PROF/analyze")" 'Time 4 Bandwidth 3 Matrix 3 '
	equal "$(sqlite3 "$PROF/analyze/communication_analyzer.db" "SELECT * FROM CommAnalyzerBandwidth WHERE transport_type <> 'RDMA'")" \
		"${key/@/|}|HCCS|40|0.005|8000|1|40|1|0.005"$'\n'"${key/@/|}|SDMA|40|0.005|8000|0|0|0|0"
	rm "$PROF"/analyze/*
	expect 0 analyze -dir "$PROF" --rule communication_matrix
	equal "$(ls "$PROF/analyze")" $'communication_analyzer.db\ncommunication_matrix.json'
	expect 2 analyze -dir "$PROF" --rule links
}

@test "copies: size and direction as the record of the same thread and time says; collectives in export db" {
	cd "$BATS_TEST_TMPDIR"
	collectives
	record prof.memcpy_info "$HOST/unaging.compact.memcpy_info.slice_0" <<-END
		level=5000 thread_id=777 stamp=$(host 1535) data_size=4096 max_size=4096 direction=1
		level=5000 thread_id=777 stamp=$(host 1735) data_size=512 max_size=500 direction=2
		level=5000 thread_id=77 stamp=$(host 1835) data_size=1 max_size=1 direction=2
	END
	expect 0 export db -dir "$PROF"
	accounted
	equal "$(query 'SELECT t.task_id, bytes, direction FROM task_copy JOIN task t USING (id) ORDER BY id')" $'1500|4096|1\n1700|500|2\n1800|0|65535'
	made=$(echo "$PROF"/msprof_*.db)
	equal "$(sqlite3 "$made" 'SELECT size, name FROM MEMCPY_INFO JOIN ENUM_MEMCPY_OPERATION ON id = memcpyOperation ORDER BY size DESC')" $'4096|host to device\n500|device to host\n0|other'
	equal "$(sqlite3 "$made" 'SELECT s.value, startNs, endNs, g.value, retry, d.name, rankSize FROM COMMUNICATION_OP
		JOIN STRING_IDS s ON s.id = opName JOIN STRING_IDS g ON g.id = groupName
		JOIN ENUM_HCCL_DATA_TYPE d ON d.id = dataType WHERE s.value LIKE "%064_0_1"')" 'layer50:Op0_064_0_1|1700000000003800000|1700000000003806000|layer63:Op3|1|FP16|8'
	equal "$(sqlite3 "$made" 'SELECT s.value, k.value, planeId, srcRank, dstRank, size, bandwidth, isMaster, opId IN (SELECT opId FROM COMMUNICATION_OP) FROM COMMUNICATION_TASK_INFO
		JOIN STRING_IDS s ON s.id = name JOIN STRING_IDS k ON k.id = taskType WHERE s.value LIKE "%064_0_1" ORDER BY globalTaskId')" \
		$'layer50:Op0_064_0_1|layer70:Op0|0|1|0|3000|500000000|1|1\nlayer50:Op0_064_0_1|layer71:Op1|1|1|1|3000|500000000|0|1\nlayer50:Op0_064_0_1|layer72:Op2|2|1|2|3000|500000000|0|1'
	equal "$(sqlite3 "$made" 'SELECT s.value, count(*) FROM CANN_API JOIN STRING_IDS s ON s.id = name WHERE type = 5500 GROUP BY 1')" $'layer70:Op0|3\nlayer71:Op1|3\nlayer72:Op2|3'
	equal "$(sqlite3 "$made" 'SELECT type, count(*) FROM OVERLAP_ANALYSIS GROUP BY type')" "$(query 'SELECT kind, count(*) FROM overlap GROUP BY kind')"
	equal "$(sqlite3 "$made" 'SELECT * FROM RANK_DEVICE_MAP')" "-1|0"
	equal "$(sqlite3 "$made" "SELECT name FROM sqlite_master WHERE tbl_name = 'COMMUNICATION_TASK_INFO' AND type = 'index'")" CommunicationTaskIndex
}

@test "analyze --type db writes the database alone, --rule chooses its tables, which are there without rows, too" {
	cd "$BATS_TEST_TMPDIR"
	collectives
	expect 0 analyze -dir "$PROF"
	equal "$(ls "$PROF/analyze")" $'communication.json\ncommunication_analyzer.db\ncommunication_matrix.json'
	equal "$(python3 "$HELPERS/analysis_db.py" "$PROF/analyze")" 'Time 3 Bandwidth 0 Matrix 0 '
	equal "$(sqlite3 "$PROF/analyze/communication_analyzer.db" 'SELECT hccl_op_name, group_name FROM CommAnalyzerTime WHERE rowid = 3')" \
		"layer50:Op0_064_0_1|$(name 63)"
	discard "$PROF/analyze"
	expect 0 analyze --type db --rule communication -dir "$PROF"
	equal "$(ls "$PROF/analyze")" communication_analyzer.db
	equal "$(sqlite3 "$PROF/analyze/communication_analyzer.db" "SELECT name FROM sqlite_schema WHERE type = 'table'")" $'CommAnalyzerTime\nCommAnalyzerBandwidth'
	expect 0 --analyze=on --type=db --output="$PROF"
	equal "$(ls "$PROF/analyze") $(sqlite3 "$PROF/analyze/communication_analyzer.db" 'SELECT count(*) FROM CommAnalyzerMatrix')" 'communication_analyzer.db 0'
	expect 2 analyze --type csv -dir "$PROF"
}
