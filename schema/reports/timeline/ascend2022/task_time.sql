-- @family ascend2022
-- @style any
-- @form array
-- @file task_time_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step)
-- @use ascend2022_runs
-- @rows
SELECT DISTINCT 'process_name' AS name, process AS pid, 0 AS tid,
  CASE process WHEN 1 THEN 'AI CPU' ELSE 'Task Scheduler' END AS "args.name", 'M' AS ph
FROM run ORDER BY process
-- @use ascend2022_runs
-- @layer
SELECT DISTINCT 'thread_name' AS name, process AS pid, stream_id AS tid, 'Stream ' || stream_id AS "args.name", 'M' AS ph
FROM run ORDER BY process, stream_id
-- @use ascend2022_runs
-- @layer
SELECT coalesce(name, 'N/A') AS name, process AS pid, run.stream_id AS tid, start / 1000.0 AS ts,
  max(stop - start, 0.0) / 1000.0 AS dur, type AS "args.Task Type", run.stream_id AS "args.Stream Id",
  run.task_id AS "args.Task Id",
  rounded(p.total_cycles * 1000.0 / (aic_mhz * 1000000.0) / blocks * rounds, 6) AS "args.Aicore Time(ms)",
  p.total_cycles AS "args.Total Cycle", 'X' AS ph
FROM run LEFT JOIN aicore_pmu p ON p.rowid = run.pmu_row ORDER BY run.id
-- @layer
SELECT 'process_name' AS name, 2 AS pid, 0 AS tid, 'All Reduce' AS "args.name", 'M' AS ph WHERE :_step IS NOT NULL
-- @layer
SELECT 'All Reduce ' || a.number AS name, 2 AS pid, 0 AS tid,
  ((a.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns) / 1000.0 AS ts,
  (a.end_counter - a.start_counter) / s.counter_mhz AS dur, a.number AS "args.Number", 'X' AS ph
FROM all_reduce a JOIN setting s ON s.device_id = a.device_id WHERE a.step_id = :_step
