#!/usr/bin/env bats
# prof_contexts.bats: PROF directories: launches of FFTS+ with several operators, of which exports have the last one.
# shellcheck disable=SC2034,SC2154 # query reads $DB; $stderr is set by run

load helpers
load prof

# sub CONTEXT...: sub-tasks of task 3 that ran one after the other, in its call from 1018.5 to 1023 us
sub() {
	local context us=2019

	for context; do
		printf 'end=%s stream_id=3 task_id=0 context_id=%s subtask_type=6 counter=%s\n' \
			0 "$context" "$(device "$us")" 1 "$context" "$(device "$((us + 1))")"
		us=$((us + 1))
	done | record prof.ffts_log "$DEVICE/stars_soc.data.0.slice_1"
}

# node US NAME_AND_TYPE KIND: an operator of the call
node() {
	record prof.node_basic_info "$HOST/unaging.compact.node_basic_info.slice_0" \
		<<<"level=10000 thread_id=4243 data_len=40 stamp=$(host "$1") op_name=800000000000000000$2 op_type=1700000000000000000$2 block_num=4 task_type=$3"
}

# contexts US NAME FIRST SECOND: an operator's contexts
contexts() {
	record prof.context_id_info "$HOST/unaging.additional.context_id_info.slice_0" \
		<<<"level=10000 thread_id=4243 stamp=$(host "$1") op_name=800000000000000000$2 context_num=2 contexts=u32:$3,$4"
}

@test "of several operators of a launch the last record of a node and of contexts counts, wherever it stands in the files" {
	node 1023 8 4
	node 1022 7 2
	contexts 1023 8 8 9
	contexts 1022 7 5 9
	record prof.tensor_info "$HOST/unaging.additional.tensor_info.slice_0" <<-END
		level=10000 thread_id=4243 stamp=$(host 1022) op_name=8000000000000000007 tensor_num=1 tensors=u32:0,2,0,61
		level=10000 thread_id=4243 stamp=$(host 1023) op_name=8000000000000000008 tensor_num=1 tensors=u32:0,2,0,62
	END
	sub 5 8 9
	expect 0 export summary -dir "$PROF"
	has "$stderr" "1 sub-task is of operators that exports leave out: of a launch they have the last one"
	equal "$(query 'SELECT context_id, is_op, connection_id, host_type IS NULL, name FROM task t LEFT JOIN name ON hash = op_name
		WHERE stream_id = 3 AND task_id = 0 ORDER BY t.id')" $'4294967295||11|0|layer6:Op6\n5|||1|\n8|1|11|0|layer7:Op7\n9|1|11|0|layer7:Op7'
	# what is left out is there: its names, and no task that nothing launched
	equal "$(query 'SELECT context_id, name, type, task_type FROM tasks WHERE stream_id = 3 AND task_id = 0 AND context_id = 5')" '5|layer6:Op6|Op6|AI_VECTOR_CORE'
	equal "$(query 'SELECT connection_id, input_shapes FROM named_part JOIN tensor n ON n.id = tensor_id')" '11|"61"'
	equal "$(query "SELECT count(*) FROM note WHERE text LIKE '%no task_track%'")" 0
	equal "$(rows op_summary | cut -d, -f3-6 | grep '^0,3,')" $'0,3,layer7:Op7,Op7\n0,3,layer7:Op7,Op7'
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT contextId, connectionId < 4294967295 AND connectionId >= 0, s.value FROM TASK t LEFT JOIN COMPUTE_TASK_INFO USING (globalTaskId)
		LEFT JOIN STRING_IDS s ON s.id = name WHERE streamId = 3 AND t.taskId = 0 ORDER BY startNs, contextId')" \
		$'4294967295|1|\n5|0|\n8|1|layer7:Op7\n9|1|layer7:Op7'
	equal "$(sqlite3 "$PROF"/msprof_*.db "SELECT value FROM STRING_IDS WHERE value IN ('\"61\"', '\"62\"')")" '"62"'
}

@test "where the last node of a launch is the graph itself, no sub-task is an operator" {
	node 1022 8 4
	node 1023 7 6
	contexts 1022 8 8 9
	sub 8 9
	expect 0 export summary -dir "$PROF"
	has "$stderr" "2 sub-tasks are of operators that exports leave out"
	equal "$(query 'SELECT context_id, is_op, connection_id FROM task WHERE stream_id = 3 AND task_id = 0 ORDER BY id')" $'4294967295||11\n8||\n9||'
	equal "$(query 'SELECT context_id, name FROM tasks WHERE stream_id = 3 AND task_id = 0 AND context_id IS NOT NULL ORDER BY id')" $'8|layer7:Op7\n9|layer7:Op7'
	equal "$(rows op_summary | cut -d, -f3,4 | grep -c '^0,3$')" 0
}

@test "at level 0 sub-tasks bear the name of the call, and nothing else that a node says" {
	node 1023 8 4
	node 1022 7 2
	contexts 1022 8 5 6
	contexts 1023 8 8 9
	sub 5 8 9
	echo '{"profLevel":"l0"}' >"$PROF/host/sample.json"
	expect 0 export summary -dir "$PROF"
	equal "$(query 'SELECT context_id, is_op, name, op_type, block_num FROM task t LEFT JOIN name ON hash = op_name
		WHERE stream_id = 3 AND task_id = 0 AND context_id < 10 ORDER BY t.id')" $'5||||\n8|1|layer6:Op6||\n9|1|layer6:Op6||'
}
