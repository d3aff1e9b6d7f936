-- @family ascend2022
-- @style any
-- @form array
-- @file step_trace_{device_id}_{scope}
-- @use ascend2022_scope
-- @each
SELECT *, NULL AS _only FROM scope WHERE _step IS NOT NULL
-- @rows
SELECT 'process_name' AS name, 0 AS pid, 0 AS tid, 'Model ID:' || :_model AS "args.name", 'M' AS ph WHERE :_step IS NOT NULL
-- @use ascend2022_iterations
-- @layer
SELECT 'thread_name' AS name, 0 AS pid, 3 * n + track AS tid, CASE track WHEN 0 THEN 'Iteration ' || iteration ELSE ' ' END AS "args.name",
  'M' AS ph
FROM iteration JOIN track ORDER BY 3 * n + track
-- @use ascend2022_iterations
-- @layer
SELECT 'thread_sort_index' AS name, 0 AS pid, 3 * n + track AS tid, 3 * n + track AS "args.sort_index", 'M' AS ph
FROM iteration JOIN track ORDER BY 3 * n + track
-- @use ascend2022_iterations
-- @layer
SELECT 'Iteration Time ' || iteration AS name, 0 AS pid, 3 * n AS tid, start / 1000.0 AS ts,
  (end_counter - start_counter) / counter_mhz AS dur, iteration AS "args.Iteration ID",
  coalesce(fp / 1000.0, 'N/A') AS "args.FP Start", coalesce(bp / 1000.0, 'N/A') AS "args.BP End",
  stop / 1000.0 AS "args.Iteration End",
  rounded((end_counter - start_counter) / counter_mhz * 1000.0, 2) AS "args.Iteration Time(ns)",
  'Iteration Time' AS cat, 'X' AS ph
FROM iteration ORDER BY n
