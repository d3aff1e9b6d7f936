#!/usr/bin/env bats
# prof_aicpu.bats: PROF directories: collective operations that the AI CPU runs.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

# operations KIND: two operations of thread 777, from 1500 and from 1700 us. Each has a step of the host on stream 20 and a kernel of the AI CPU on stream
# 40, which runs for 70 us from 2010 us after the call and launches five steps of 6 us on streams 50 and 51, one each 8 us from 2020 us on: those of stream 51 bear the
# same numbers in both operations, after a flip. host: the device says of what operation the steps are, and which are its ends. own: it says
# neither; the last step has a type that makes its stream the master's.
operations() {
	group=8000000000000000961 kernel=8000000000000000905
	printf '5500_65537:master\n5000_900:KERNEL_AICPU\n5000_901:NOTIFY_RECORD\n' >"$HOST/aging.additional.type_info_dic.slice_0"
	printf '%s:SumAicpuKernel\n8000000000000000904:hcom_sum_\n%s:group1\n8000000000000000962:ring\n8000000000000000901:Memcpy\n8000000000000000902:Wait\n8000000000000000903:Reduce\n' \
		$kernel $group >"$HOST/aging.additional.hash_dic.slice_0"
	for n in 0 1; do
		at=$((1500 + 200 * n)) first=
		cat >>calls <<-END
			level=10000 type=1 thread_id=777 begin=$(host $at) end=$(host $((at + 90))) item_id=8000000000000000904
			level=5500 type=65537 thread_id=777 begin=$(host $((at + 10))) end=$(host $((at + 20))) item_id=8000000000000000902
			level=10000 type=1 thread_id=777 begin=$(host $((at + 30))) end=$(host $((at + 60))) item_id=$kernel
		END
		cat >>nodes <<-END
			level=10000 thread_id=777 data_len=40 stamp=$(host $((at + 50))) op_name=$kernel op_type=$kernel task_type=1
			level=10000 thread_id=777 data_len=40 stamp=$(host $((at + 88))) op_name=8000000000000000904 op_type=8000000000000000904 task_type=9
		END
		echo "level=10000 thread_id=777 stamp=$(host $((at + 89))) data_type=3 group_name=$group" >>said
		echo "level=5500 thread_id=777 stamp=$(host $((at + 16))) item_id=8000000000000000902 group_name=$group rank_size=8 context_id=4294967295" >>steps
		echo "level=5000 type=802 thread_id=777 data_len=24 stamp=$(host $((at + 15))) stream_id=20 task_id=$n task_type=901" >>launches
		echo "level=5000 type=802 thread_id=777 data_len=24 stamp=$(host $((at + 45))) stream_id=40 task_id=$n task_type=900" >>launches
		run_task 20 $n $((at + 2000)) 3 11
		run_task 40 $n $((at + 2010)) 70 1
		for i in 0 1 2 3 4; do
			stream=$((i == 2 || i == 3 ? 51 : 50)) task=$((i == 2 || i == 3 ? i : 10 * n + i))
			run_task $stream $task $((at + 2020 + 8 * i)) 6 "$([ "$1 $i" = 'own 4' ] && echo 20 || echo 11)"
			step="item_id=8000000000000000$((901 + i % 3)) group_name=$group local_rank=3 remote_rank=$i notify_id=$((i + 7)) stamp=$(device $((at + 2012 + i)))"
			step="$step size=$((1000 * i)) task_id=$task stream_id=$stream data_type=3 link_type=1 transport_type=0 rdma_type=255 estimate=0"
			[ -z "$first" ] || echo "$first ${step//=/2=}" >>pairs
			[ -z "$first" ] && first=$step || first=
		done
		echo "$first" >>pairs
		[ "$1" = host ] || continue
		echo "stamp=$(device $((at + 2015))) relay=$n retry=1 data_type=4 alg_type=8000000000000000962 count=99 group_name=$group rank_size=8 stream_id=40 task_id=$n" >>infos
		echo "stamp=$(device $((at + 2016))) aicpu_stream_id=40 aicpu_task_id=$n stream_id=50 task_id=$((10 * n)) is_last=0" >>ends
		echo "stamp=$(device $((at + 2017))) aicpu_stream_id=40 aicpu_task_id=$n stream_id=50 task_id=$((10 * n + 4)) is_last=1" >>ends
	done
	record prof.api "$HOST/aging.api_event.data.slice_0" <calls
	record prof.node_basic_info "$HOST/aging.compact.node_basic_info.slice_0" <nodes
	record prof.task_track "$HOST/aging.compact.task_track.slice_0" <launches
	record prof.hccl_op_info "$HOST/unaging.compact.hccl_op_info.slice_0" <said
	record prof.hccl_info "$HOST/unaging.additional.hccl_info.slice_0" <steps
	record prof.mc2_comm_info "$HOST/unaging.additional.mc2_comm_info.slice_0" <<<"group_name=$group stream_id=40 stream_count=2 streams=u32:50,51"
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <runs
	record prof.device_step "$DEVICE/aicpu.data.0.slice_0" <pairs
	[ ! -e infos ] || record prof.device_op_info "$DEVICE/aicpu.data.0.slice_0" <infos
	[ ! -e ends ] || record prof.device_end "$DEVICE/aicpu.data.0.slice_0" <ends
	record prof.aicpu_flip "$DEVICE/aicpu.data.0.slice_0" <<<"stamp=$(device 3701) stream_id=51 flip_num=1"
	record prof.ts_flip "$DEVICE/ts_track.data.0.slice_0" <<<"counter=$(device 3690) stream_id=51 flip_num=1"
}

run_task() { # STREAM TASK FROM US TYPE
	echo "end=0 stream_id=$1 task_id=$2 counter=$(device "$3") task_type=$5" >>runs
	echo "end=1 stream_id=$1 task_id=$2 counter=$(device $(($3 + $4)))" >>runs
}

layer() { # PROCESS FILTER: of the trace
	jq -r --argjson p "$1" ".[] | select((.pid / 32 % 32 | floor) == \$p) | $2" "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json
}

@test "steps that the AI CPU launched are of the operation of the host, when the device says so" {
	cd "$BATS_TEST_TMPDIR"
	operations host
	expect 0 export db -dir "$PROF"
	accounted
	made=$(echo "$PROF"/msprof_*.db)
	# the operation lasts as its master steps of the host do; what the device says of relay and retry counts
	equal "$(sqlite3 "$made" 'SELECT n.value, startNs % 1000000000, endNs % 1000000000, relay, retry, dataType, count, g.value FROM COMMUNICATION_OP
		JOIN STRING_IDS n ON n.id = opName JOIN STRING_IDS g ON g.id = groupName ORDER BY startNs')" \
		$'hcom_sum__961_0_1|3500000|3503000|0|1|3|0|group1\nhcom_sum__961_1_1|3700000|3703000|1|1|3|0|group1'
	# the first step is the master's, but none of its steps; streams are planes after the host's
	equal "$(sqlite3 "$made" 'SELECT t.streamId, t.taskId, n.value, i.value, planeId, notifyId, dstRank, size, isMaster, opId = (SELECT opId FROM COMMUNICATION_OP o WHERE o.opName = c.name)
		FROM COMMUNICATION_TASK_INFO c JOIN TASK t USING (globalTaskId) JOIN STRING_IDS n ON n.id = c.name JOIN STRING_IDS i ON i.id = c.taskType ORDER BY t.startNs LIMIT 7 OFFSET 5')" \
'50|4|hcom_sum__961_0_1|Wait|1|11|4|4000|1|1
20|1|hcom_sum__961_1_1|Wait|0|0|0|0|1|1
50|10|hcom_sum__961_1_1|Memcpy|1|7|0|0|0|1
50|11|hcom_sum__961_1_1|Wait|1|8|1|1000|1|1
51|2|hcom_sum__961_1_1|Reduce|2|9|2|2000|0|1
51|3|hcom_sum__961_1_1|Memcpy|2|10|3|3000|0|1
50|14|hcom_sum__961_1_1|Wait|1|11|4|4000|1|1'
	# kernels of operations are in a table of their own
	equal "$(sqlite3 "$made" 'SELECT n.value, t.streamId FROM COMMUNICATION_SCHEDULE_TASK_INFO c JOIN TASK t USING (globalTaskId) JOIN STRING_IDS n ON n.id = c.name')" \
		$'SumAicpuKernel|40\nSumAicpuKernel|40'
	equal "$(sqlite3 "$made" 'SELECT count(*) FROM COMPUTE_TASK_INFO JOIN TASK USING (globalTaskId) WHERE streamId = 40')" 0
	expect 0 export summary -dir "$PROF"
	equal "$(rows communication_statistic | cut -d, -f3-5)" 2,6,3
	equal "$(rows op_summary | grep -c ,COMMUNICATION,)" 2
	expect 0 export timeline -dir "$PROF"
	equal "$(layer 16 'select(.name == "thread_name") | "\(.tid) \(.args.name)"')" $'0 Group group1 Communication\n1 Plane 0\n2 Plane 1\n3 Plane 2'
	equal "$(layer 16 'select(.tid == 3 and .ph == "X") | "\(.name) \(.ts) \(.args["bandwidth(GB/s)"])"' | head -1)" 'Reduce 1700000000003536.000 0.33333333333333337'
	expect 0 analyze -dir "$PROF"
	equal "$(jq -c '."hcom_sum__961_1_1@8000000000000000961" | to_entries[] | [.key, .value[]]' "$PROF/analyze/communication_matrix.json")" \
		$'["3-0","HCCS",0,0.006,0]\n["3-3","HCCS",0.003,0.006,0.5]'
}

@test "steps of the AI CPU alone are of an operation of its own, with a group of its own; its server has turns" {
	cd "$BATS_TEST_TMPDIR"
	operations own
	record prof.comm_turn "$DEVICE/aicpu.data.0.slice_0" <<-END
		stream_id=40 task_id=1 turn=3 begun=$(device 3710) waiting=$(device 3712) planning=$(device 3715) sending=$(device 3719) sent=$(device 3724) executed=$(device 3730) ended=$(device 3737)
	END
	record prof.compute_turn "$DEVICE/aicpu.data.0.slice_0" <<<"stream_id=40 task_id=1 turn=4 waiting=$(device 3740) computing=$(device 3742) ended=$(device 3745)"
	expect 0 export db -dir "$PROF"
	accounted
	made=$(echo "$PROF"/msprof_*.db)
	# it lasts as its master steps do, which begin with the first task of a type that says so
	equal "$(sqlite3 "$made" 'SELECT n.value, startNs % 1000000000, endNs % 1000000000, relay, dataType, rankSize, g.value FROM COMMUNICATION_OP
		JOIN STRING_IDS n ON n.id = opName JOIN STRING_IDS g ON g.id = groupName WHERE n.value LIKE "Sum%" ORDER BY startNs')" \
		$'SumAicpuKernel_961_0_1|3552000|3558000|-1|65534|4294967295|group1 Aicpu\nSumAicpuKernel_961_1_1|3720000|3758000|-1|65534|4294967295|group1 Aicpu'
	equal "$(sqlite3 "$made" 'SELECT t.streamId, t.taskId, planeId, isMaster, g.value FROM COMMUNICATION_TASK_INFO c JOIN TASK t USING (globalTaskId) JOIN STRING_IDS n ON n.id = c.name
		JOIN STRING_IDS g ON g.id = c.groupName WHERE n.value LIKE "Sum%" ORDER BY t.startNs LIMIT 5 OFFSET 3')" \
		$'51|3|2|0|group1 Aicpu\n50|4|0|1|group1 Aicpu\n50|10|0|1|group1 Aicpu\n50|11|0|1|group1 Aicpu\n51|2|2|0|group1 Aicpu'
	# the statistic and op_summary have the operations of the host alone, but kernels of the server do not compute
	expect 0 export summary -dir "$PROF"
	equal "$(rows communication_statistic | cut -d, -f3-5)" 2,6,3
	equal "$(rows op_summary | grep -c ,COMMUNICATION,)" 2
	equal "$(query 'SELECT start_ns % 1000000000, end_ns % 1000000000 FROM overlap WHERE kind = 1 ORDER BY 1')" $'3500000|3503000\n3552000|3558000\n3700000|3703000\n3720000|3758000'
	equal "$(query 'SELECT count(*) FROM overlap WHERE kind = 0 AND start_ns > 1000003500000')" 0
	expect 0 export timeline -dir "$PROF"
	equal "$(layer 16 'select(.name == "thread_name") | .args.name' | grep Group | sort)" $'Group group1 Aicpu Communication\nGroup group1 Communication'
	equal "$(layer 14 'select(.name | test(" [34]$")) | [.name, .tid, (.ts | .[12:]), .dur, .args["Task Id"]] | map(tostring) | join(" ")')" \
'WaitCompute 4 40 3740.000 2 1
Compute 4 40 3742.000 3 1
StartServer 3 40 3710.000 2 1
TaskWaitRequest 3 40 3712.000 3 1
TaskOrchestration 3 40 3715.000 4 1
TaskLaunch 3 40 3719.000 5 1
TaskExecute 3 40 3724.000 6 1
Finalize 3 40 3730.000 7 1'
}
