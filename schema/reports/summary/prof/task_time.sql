-- @needs tasks
-- @use prof_stamp
-- @each
SELECT time, _wall, _tick_ns, _old FROM stamp
WHERE EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL) AND (_old OR NOT coalesce((SELECT min(device_id) < max(device_id) FROM stream), 0) AND NOT EXISTS (SELECT 1 FROM tied_task))
-- @use prof_tasks
-- @split task.id
-- @rows
-- where sub-tasks ran, that of context 0 stands for the task
SELECT device_id AS "Device_id", kernel_name AS "kernel_name", task_type AS "kernel_type", stream_id AS "stream_id", task_id AS "task_id",
  CASE WHEN :_old THEN repr(CASE WHEN :_tick_ns THEN CAST(round(dur_ns / :_tick_ns) * :_tick_ns AS INTEGER) ELSE dur_ns END / 1000.0)
    ELSE us(CASE WHEN :_tick_ns THEN CAST(round(dur_ns / :_tick_ns) * :_tick_ns AS INTEGER) ELSE dur_ns END) END AS "task_time(us)",
  us(start_ns + :_wall) || char(9) AS "task_start(us)",
  us(start_ns + dur_ns + :_wall) || char(9) AS "task_stop(us)"
FROM run WHERE run.id BETWEEN :split_first AND :split_last AND (context_id = 0 OR context_id = 4294967295 AND has_parts IS NULL) ORDER BY id
