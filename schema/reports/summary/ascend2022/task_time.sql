-- @needs tasks
-- @file task_time_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE _exports IS NOT 'none'
  AND EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step AND t.unit IS NOT 1
  AND CASE WHEN scope._step IS NULL THEN t.op_id IS NOT NULL
    ELSE EXISTS (SELECT 1 FROM task_track k WHERE k.stream_id = t.stream_id AND k.task_id = t.task_id AND k.batch_id = t.batch_id) END)
-- @rows
-- the tasks of the scheduler's log in order of end: those of described operators, in iterations those that the runtime recorded
WITH track AS (
  SELECT stream_id, task_id, batch_id, task_type, max(rowid) FROM task_track WHERE :_step IS NOT NULL GROUP BY 1, 2, 3
), run AS (
  SELECT t.id, t.end_counter, t.stream_id, t.task_id, t.batch_id, t.op_id,
    (t.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1e9 + s.host_ns / 1e9 * 1e9 AS start,
    (t.end_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1e9 + s.host_ns / 1e9 * 1e9 AS stop
  FROM task t JOIN setting s ON s.device_id = t.device_id
  WHERE t.device_id = :device_id AND t.step_id IS :_step AND t.unit IS NOT 1
)
SELECT coalesce(o.name, 'N/A') AS kernel_name, CASE WHEN :_step IS NULL THEN o.task_type ELSE k.task_type END AS kernel_type,
  r.stream_id AS stream_id, r.task_id AS task_id, '"' || repr((stop - start) / 1000.0) || '"' AS "task_time(us)",
  '"' || repr(CASE WHEN start = CAST(start AS INTEGER) THEN CAST(start AS INTEGER) ELSE start END) || '"' AS "task_start(ns)",
  '"' || repr(CASE WHEN stop = CAST(stop AS INTEGER) THEN CAST(stop AS INTEGER) ELSE stop END) || '"' AS "task_stop(ns)"
FROM run r LEFT JOIN op o ON o.id = r.op_id LEFT JOIN track k ON k.stream_id = r.stream_id AND k.task_id = r.task_id AND k.batch_id = r.batch_id
WHERE CASE WHEN :_step IS NULL THEN o.id ELSE k.task_type END IS NOT NULL ORDER BY r.end_counter, r.id
