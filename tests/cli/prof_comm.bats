#!/usr/bin/env bats
# prof_comm.bats: PROF directories: collective operations, and copies.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

# Two collectives: task 0 and 1 of stream 20, launched by thread 4242 in the call of task 0 (1000.5 to 1005 us), run from
# 2003 to 2009 us; a third task is another run of the first.
collective() {
	record prof.node_basic_info "$HOST/aging.compact.node_basic_info.slice_0" <<<"level=10000 thread_id=4242 data_len=40 stamp=$(host 1002) op_name=8000000000000000051 op_type=17000000000000000003 task_type=9"
	record prof.task_track "$HOST/aging.compact.task_track.slice_0" <<-END
		level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1002) stream_id=20 task_id=0
		level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1004) stream_id=21 task_id=1
	END
	record prof.api "$HOST/aging.api_event.data.slice_0" <<-END
		level=5500 type=1 thread_id=4242 begin=$(host 1001) end=$(host 1002)
		level=5500 type=1 thread_id=4242 begin=$(host 1004) end=$(host 1005)
	END
	record prof.hccl_op_info "$HOST/unaging.compact.hccl_op_info.slice_0" <<<"level=10000 thread_id=4242 stamp=$(host 1004) data_type=3 alg_type=8000000000000000060 count=77 group_name=8000000000000000061 retry=1"
	record prof.hccl_info "$HOST/unaging.additional.hccl_info.slice_0" <<-END
		level=5500 thread_id=4242 stamp=$(host 1001) item_id=8000000000000000062 group_name=8000000000000000061 local_rank=1 remote_rank=2 rank_size=8 plane_id=0 \
		context_id=4294967295 size=3000 link_type=1 transport_type=0 data_type=3 rdma_type=255 notify_id=5
		level=5500 thread_id=4242 stamp=$(host 1004) item_id=8000000000000000063 group_name=8000000000000000061 local_rank=1 remote_rank=3 rank_size=8 plane_id=1 context_id=4294967295
	END
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=20 task_id=0 counter=$(device 2003) task_type=11
		end=1 stream_id=20 task_id=0 counter=$(device 2006) task_type=11
		end=0 stream_id=21 task_id=1 counter=$(device 2008) task_type=6
		end=1 stream_id=21 task_id=1 counter=$(device 2009) task_type=6
		end=0 stream_id=20 task_id=0 counter=$(device 3000) task_type=11
		end=1 stream_id=20 task_id=0 counter=$(device 3005) task_type=11
	END
}

@test "collective operations: their steps, groups and times, in tables, statistics and on tracks of the trace" {
	rm "$HOST"/unaging.compact.node_basic_info.slice_0* # the call then has one node
	collective
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT id, run, o.name, start_ns, end_ns, rank_size, g.name, count, retry FROM comm_op JOIN name o ON o.hash = op_name JOIN name g ON g.hash = group_name')" \
		$'1|1|layer50:Op0|1000002000000|1000002009000|8|layer60:Op0|77|1\n2|2|layer50:Op0|1000003000000|1000003005000|8|layer60:Op0|77|1'
	equal "$(query 'SELECT t.stream_id, t.task_id, op_id, info_row FROM comm_task c JOIN task t USING (id) ORDER BY id')" \
		$'0|0|1|\n20|0|1|1\n21|1|1|2\n20|0|2|1'
	expect 0 export summary -dir "$PROF"
	equal "$(rows communication_statistic)" "0,Op2,2,14,5,7,9,100"
	expect 0 export timeline -dir "$PROF"
	trace=$(echo "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)
	equal "$(jq -r '.[] | select(.name == "thread_name" and (.pid / 32 % 32 | floor) == 17) | .args.name' "$trace")" $'Group layer60:Op0 Communication\nPlane 0\nPlane 1'
	equal "$(jq -c '.[] | select(.ph == "X" and (.pid / 32 % 32 | floor) == 17) | [.name, .tid, .ts, .dur]' "$trace")" \
'["layer50:Op0",1000,"1700000000002000.000",9]
["layer50:Op0",1000,"1700000000003000.000",5]
["AI_CORE",1001,"1700000000002000.000",'"$(query 'SELECT dur_ns / 1000.0 FROM task WHERE id = 1' | sed 's/\.0$//')"']
["layer61:Op1",1001,"1700000000002003.000",3]
["layer62:Op2",1002,"1700000000002008.000",1]
["layer61:Op1",1001,"1700000000003000.000",5]'
	equal "$(jq -c '[.[] | select(.ph == "X" and .args.notify_id == 5) | .args][0] | [."src rank", ."dst rank", ."transport type", ."link type", ."size(Byte)", ."bandwidth(GB/s)"]' "$trace")" '[1,2,"SDMA","HCCS",3000,1]'
	# the overlap: tasks of collectives compute nothing
	equal "$(jq -r '.[] | select(.ph == "X" and (.pid / 32 % 32 | floor) == 31) | select(.name != "Computing" and .name != "Free") | [.name, .tid, .ts, .dur] | map(tostring) | join(" ")' "$trace" | sort)" \
		$'Communication 1 1700000000002000.000 9\nCommunication 1 1700000000003000.000 5\nCommunication(Not Overlapped) 2 1700000000002000.000 6\nCommunication(Not Overlapped) 2 1700000000003000.000 5'
	equal "$(query 'SELECT count(*), min(start_ns), (SELECT sum(dur_ns) FROM task WHERE id NOT IN (SELECT id FROM comm_task)) - sum(end_ns - start_ns) FROM overlap WHERE kind = 0')" "39|1000002006000|0"
	# all of the time is of one kind or another
	equal "$(query 'SELECT (SELECT max(end_ns) - min(start_ns) FROM overlap) - sum(end_ns - start_ns) FROM overlap WHERE kind <> 1')" 0
	printf '{"json_process": {"communication": false}}' >"$BATS_TEST_TMPDIR/off.json"
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export timeline -dir "$PROF" --reports "$BATS_TEST_TMPDIR/off.json"
	equal "$(jq '[.[] | select((.pid / 32 % 32 | floor) == 17)] | length' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" 0
}

@test "copies: size and direction of the task that the same call of the runtime launched; collectives in export db" {
	rm "$HOST"/unaging.compact.node_basic_info.slice_0*
	collective
	record prof.memcpy_info "$HOST/unaging.compact.memcpy_info.slice_0" <<-END
		level=5000 thread_id=4243 stamp=$(host 1008) data_size=4096 direction=1
		level=5000 thread_id=4243 stamp=$(host 1020) data_size=512 direction=2
		level=5000 thread_id=77 stamp=$(host 1020) data_size=1 direction=2
	END
	expect 0 export db -dir "$PROF"
	accounted
	equal "$(query 'SELECT id, bytes, direction FROM task_copy ORDER BY id')" "$(query 'SELECT id, 4096, 1 FROM task WHERE stream_id = 1 AND task_id = 0')"$'\n'"$(query 'SELECT id, 512, 2 FROM task WHERE stream_id = 3 AND task_id = 0')"
	made=$(echo "$PROF"/msprof_*.db)
	equal "$(sqlite3 "$made" 'SELECT size, name FROM MEMCPY_INFO JOIN ENUM_MEMCPY_OPERATION ON id = memcpyOperation ORDER BY size DESC')" $'4096|host to device\n512|device to host'
	equal "$(sqlite3 "$made" 'SELECT s.value, startNs, endNs, g.value, retry, d.name, rankSize, opId FROM COMMUNICATION_OP
		JOIN STRING_IDS s ON s.id = opName JOIN STRING_IDS g ON g.id = groupName
		JOIN ENUM_HCCL_DATA_TYPE d ON d.id = dataType')" \
		$'layer50:Op0|1700000000002000000|1700000000002009000|layer60:Op0|1|FP16|8|0\nlayer50:Op0|1700000000003000000|1700000000003005000|layer60:Op0|1|FP16|8|1'
	equal "$(sqlite3 "$made" 'SELECT s.value, planeId, srcRank, dstRank, size, bandwidth, opId FROM COMMUNICATION_TASK_INFO LEFT JOIN STRING_IDS s ON s.id = name ORDER BY globalTaskId')" \
		$'||||||0\nlayer61:Op1|0|1|2|3000|1000000000|0\nlayer62:Op2|1|1|3|0||0\nlayer61:Op1|0|1|2|3000|600000000|1'
	equal "$(sqlite3 "$made" 'SELECT type, count(*) FROM OVERLAP_ANALYSIS GROUP BY type')" "$(query 'SELECT kind, count(*) FROM overlap GROUP BY kind')"
}

@test "collective operations are in order of their start, whatever the order of the calls" {
	collective
	# a later call of a node, whose task runs first
	record prof.api "$HOST/aging.api_event.data.slice_0" <<<"level=10000 type=1 thread_id=4242 begin=$(host 1020) end=$(host 1025)"
	record prof.node_basic_info "$HOST/aging.compact.node_basic_info.slice_0" <<<"level=10000 thread_id=4242 data_len=40 stamp=$(host 1022) op_name=8000000000000000051 op_type=17000000000000000003 task_type=9"
	record prof.task_track "$HOST/aging.compact.task_track.slice_0" <<<"level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host 1022) stream_id=22 task_id=2"
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=22 task_id=2 counter=$(device 1990) task_type=11
		end=1 stream_id=22 task_id=2 counter=$(device 1995) task_type=11
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT start_ns FROM comm_op ORDER BY id')" $'1000001990000\n1000002000000\n1000003000000'
}
