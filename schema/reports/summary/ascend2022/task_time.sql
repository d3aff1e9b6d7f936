-- @family ascend2022
-- @style any
-- @file task_time_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE _step IS NULL AND EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id)
-- @use ascend2022_runs
-- @rows
SELECT r.name AS kernel_name, r.type AS kernel_type, r.stream_id AS stream_id, r.task_id AS task_id,
  '"' || repr((stop - start) / 1000.0) || '"' AS "task_time(us)",
  '"' || repr(CASE WHEN start = CAST(start AS INTEGER) THEN CAST(start AS INTEGER) ELSE start END) || '"' AS "task_start(ns)",
  '"' || repr(CASE WHEN stop = CAST(stop AS INTEGER) THEN CAST(stop AS INTEGER) ELSE stop END) || '"' AS "task_stop(ns)"
FROM run r ORDER BY r.id
