-- @family ascend2022
-- @style any
-- @form array
-- @file ai_stack_time_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target IN ('api_call', 'hwts_event') AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT 'process_name' AS name, 0 AS pid, 0 AS tid, 'AI Stack Time' AS "args.name", 'M' AS ph
-- @layer
SELECT 'thread_name' AS name, 0 AS pid, column1 AS tid, column2 AS "args.name", 'M' AS ph
FROM (VALUES (0, 'AscendCL'), (1, 'GE'), (2, 'Runtime'), (3, 'Task Scheduler'))
-- @use ascend2022_calls
-- @use ascend2022_stack
-- @layer
SELECT coalesce(name, 'N/A') AS name, 0 AS pid, 0 AS tid, start_ns / 1000 AS ts, max(dur_ns, 0) / 1000 AS dur,
  :_iteration AS "args.Iter ID", start_ns AS "args.Start Time", end_ns AS "args.End Time", dur_ns AS "args.Duration Time(ns)",
  'X' AS ph
FROM since ORDER BY row
-- @use ascend2022_runs
-- @layer
SELECT coalesce(name, 'N/A') AS name, 0 AS pid, 3 AS tid, CAST(start AS INTEGER) / 1000 AS ts,
  max(CAST(stop - start AS INTEGER), 0) / 1000 AS dur, :_iteration AS "args.Iter ID",
  CASE WHEN start = CAST(start AS INTEGER) THEN CAST(start AS INTEGER) ELSE start END AS "args.Start Time",
  CAST(stop AS INTEGER) AS "args.End Time", CAST(stop - start AS INTEGER) AS "args.Duration Time(ns)",
  '' AS "args.Total Time(ms)", 'X' AS ph
FROM run ORDER BY id
