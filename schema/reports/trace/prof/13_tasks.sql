-- @process Ascend Hardware, NPU {process}
-- @thread Stream {track}
-- @started id
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _want_cann, _from_ns = -9223372036854775808 AND _to_ns = 9223372036854775807 AS _whole FROM stamp WHERE _want_ascend
-- @use prof_tasks
-- @rows
SELECT 14 AS layer, device_id AS process, stream_id AS track, name AS name, start_ns + :_wall AS start_ns, dur_ns AS dur_ns,
  CASE WHEN :_want_cann AND (:_whole
    OR word('api', 'start_ns', connection_id) > :_from_ns AND word('api', 'start_ns', connection_id) <= :_to_ns)
    {range host word('api', 'start_ns', connection_id); word('api', 'start_ns', connection_id) + word('api', 'dur_ns', connection_id)} THEN connection_id END AS launch,
  model_id AS "args.Model Id", task_type AS "args.Task Type",
  task_id AS "args.Task Id", batch_id AS "args.Batch Id", nullif(context_id, 4294967295) AS "args.Subtask Id", connection_id AS "args.connection_id",
  CASE WHEN host_kind = 'MEMCPY_ASYNC' THEN word('task_copy', 'bytes', id) END AS "args.size(B)",
  CASE WHEN host_kind = 'MEMCPY_ASYNC' THEN coalesce(word('copy_kind', 'name', word('task_copy', 'direction', id)), 'other') END AS "args.operation"
FROM run WHERE has_parts IS NULL AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns{range device start_ns; start_ns + dur_ns}{device device_id}
