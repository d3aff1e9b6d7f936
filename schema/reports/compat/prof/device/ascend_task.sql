-- @file ascend_task
-- @title AscendTask
-- @each
SELECT device_id FROM device d WHERE EXISTS (SELECT 1 FROM stream s WHERE s.device_id = d.device_id)
-- @rows
SELECT model_id, -1 AS index_id, stream_id, task_id, context_id, batch_id, coalesce(start_ns, -1) AS start_time, coalesce(dur_ns, -1) AS duration,
  coalesce(word('host_kind', 'name', host_type), word('name', 'name', host_type), nullif(printf('%u', host_type), '0'), 'UNKNOWN') AS host_task_type,
  coalesce(word('task_kind', 'name', device_type), word('subtask_kind', 'name', device_type - 256), 'UNKNOWN') AS device_task_type, coalesce(connection_id, -1) AS connection_id
FROM task WHERE device_id = :device_id ORDER BY start_ns IS NULL, start_ns, id
