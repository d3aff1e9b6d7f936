-- @form array
-- @needs tasks
-- @file task_time_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step)
-- @rows
SELECT 'process_name' AS name, 0 AS pid, 0 AS tid, 'Task Scheduler' AS "args.name", 'M' AS ph
WHERE :_exports IS NOT 'none' OR EXISTS (SELECT 1 FROM op) OR EXISTS (SELECT 1 FROM aicpu_node)
-- @use ascend2022_runs
-- @layer
SELECT DISTINCT 'thread_name' AS name, 0 AS pid, stream_id AS tid, 'Stream ' || stream_id AS "args.name", 'M' AS ph
FROM run ORDER BY stream_id
-- @use ascend2022_runs
-- @layer
SELECT coalesce(name, 'N/A') AS name, 0 AS pid, stream_id AS tid, start / 1000.0 AS ts, max(CAST(dur AS INTEGER), 0) / 1000.0 AS dur,
  type AS "args.Task Type", stream_id AS "args.Stream Id", task_id AS "args.Task Id", coalesce(total_ms, 'N/A') AS "args.Aicore Time(ms)",
  coalesce(cycles, 'N/A') AS "args.Total Cycle", 'X' AS ph
FROM run WHERE 1{range device start; start + dur} ORDER BY id
-- @use ascend2022_runs
-- @use ascend2022_nodes
-- @layer
SELECT 'process_name' AS name, 1 AS pid, 0 AS tid, 'AI CPU' AS "args.name", 'M' AS ph WHERE EXISTS (SELECT 1 FROM node)
-- @use ascend2022_runs
-- @use ascend2022_nodes
-- @layer
SELECT name, 1 AS pid, 0 AS tid, start_ms * 1000.0 AS ts, dur_ms * 1000.0 AS dur, 'AI_CPU' AS "args.Task Type",
  compute_ms * 1000.0 AS "args.Compute Time(us)", memcpy_ms * 1000.0 AS "args.Memcpy Time(us)", dur_ms * 1000.0 AS "args.Task Time(us)",
  dispatch_ms * 1000.0 AS "args.Dispatch Time(us)", total_ms * 1000.0 AS "args.Total Time(us)", 'X' AS ph
FROM node WHERE 1{range device start_ms * 1000000.0; (start_ms + dur_ms) * 1000000.0} ORDER BY id
-- @layer
SELECT 'process_name' AS name, 2 AS pid, 0 AS tid, 'All Reduce' AS "args.name", 'M' AS ph WHERE :_step IS NOT NULL
-- @layer
SELECT 'All Reduce ' || a.number AS name, 2 AS pid, 0 AS tid,
  ((a.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns) / 1000.0 AS ts,
  (a.end_counter - a.start_counter) / s.counter_mhz AS dur, a.number AS "args.Number", 'X' AS ph
FROM all_reduce a JOIN setting s ON s.device_id = a.device_id WHERE a.step_id = :_step
  {range device (a.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns;
    (a.end_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns}
