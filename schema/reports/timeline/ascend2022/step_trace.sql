-- @form array
-- @file step_trace_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT *, NULL AS _only FROM scope WHERE _step IS NOT NULL
-- @use ascend2022_iterations
-- @rows
SELECT DISTINCT 'process_name' AS name, model_pid AS pid, 0 AS tid, 'Model ID:' || model_id AS "args.name", 'M' AS ph FROM iteration ORDER BY model_pid
-- @use ascend2022_iterations
-- @layer
SELECT 'thread_name' AS name, model_pid AS pid, 3 * n + track AS tid, CASE track WHEN 0 THEN 'Iteration ' || iteration ELSE ' ' END AS "args.name",
  'M' AS ph
FROM iteration JOIN track ORDER BY 3 * n + track
-- @use ascend2022_iterations
-- @layer
SELECT 'thread_sort_index' AS name, model_pid AS pid, 3 * n + track AS tid, 3 * n + track AS "args.sort_index", 'M' AS ph
FROM iteration JOIN track ORDER BY 3 * n + track
-- @use ascend2022_iterations
-- @layer
SELECT 'Iteration Time ' || iteration AS name, model_pid AS pid, 3 * n AS tid, stop - dur AS ts, dur, iteration AS "args.Iteration ID",
  coalesce(fp, 'N/A') AS "args.FP Start", coalesce(bp, 'N/A') AS "args.BP End", stop AS "args.Iteration End",
  rounded(dur * 1000.0, 2) AS "args.Iteration Time(ns)", 'Iteration Time' AS cat, 'X' AS ph
FROM iteration WHERE 1{range device (stop - dur) * 1000.0; stop * 1000.0} ORDER BY n
