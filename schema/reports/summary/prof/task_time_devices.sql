-- @needs tasks
-- @file task_time_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _tick_ns FROM stamp
WHERE EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL) AND NOT _old AND ((SELECT min(device_id) < max(device_id) FROM stream) OR EXISTS (SELECT 1 FROM tied_task))
-- @use prof_tasks
-- @rows
-- the tasks of all devices in order of their start, or of a device where some began together
SELECT device_id AS "Device_id", kernel_name AS "kernel_name", task_type AS "kernel_type", stream_id AS "stream_id", task_id AS "task_id",
  us(CASE WHEN :_tick_ns THEN CAST(round(dur_ns / :_tick_ns) * :_tick_ns AS INTEGER) ELSE dur_ns END) AS "task_time(us)", us(start_ns + :_wall) || char(9) AS "task_start(us)",
  us(start_ns + dur_ns + :_wall) || char(9) AS "task_stop(us)"
FROM run WHERE (context_id = 0 OR context_id = 4294967295 AND has_parts IS NULL) ORDER BY start_ns, (SELECT place FROM tied_task WHERE tied_task.id = run.id), id
