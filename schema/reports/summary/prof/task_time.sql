-- @family prof
-- @style any
-- @file task_time_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _from_ns, _to_ns FROM stamp WHERE EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL)
-- @use prof_tasks
-- @split task.id
-- @rows
SELECT device_id AS "Device_id", name AS "kernel_name", device_type AS "kernel_type", stream_id AS "stream_id", task_id AS "task_id",
  us(dur_ns) AS "task_time(us)", us(start_ns + :_wall) || char(9) AS "task_start(us)",
  us(start_ns + dur_ns + :_wall) || char(9) AS "task_stop(us)"
FROM run WHERE run.id BETWEEN :split_first AND :split_last AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns ORDER BY id
