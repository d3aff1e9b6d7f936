-- @file ai_core_op_summary
-- @title task_time
-- @each
SELECT device_id FROM device d WHERE EXISTS (SELECT 1 FROM stream s WHERE s.device_id = d.device_id)
-- @rows
SELECT task_id, stream_id, coalesce(start_ns, -1) AS start_time, coalesce(dur_ns, -1) AS duration_time, 0 AS wait_time,
  coalesce(word('task_kind', 'name', device_type), word('subtask_kind', 'name', device_type - 256), 'UNKNOWN') AS task_type, -1 AS index_id, model_id, batch_id,
  context_id AS subtask_id
FROM task WHERE device_id = :device_id ORDER BY start_ns IS NULL, start_ns, id
