-- @needs tasks
-- @use prof_stamp
-- @each
SELECT time, _old, _tick_ns FROM stamp WHERE NOT _of_model AND EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1 AND op_type IS NOT NULL)
-- @tally
SELECT device_id, op_type, node_type, CASE WHEN :_tick_ns THEN CAST(round(dur_ns / :_tick_ns) AS INTEGER) ELSE dur_ns END AS value FROM task
WHERE is_op AND op_type IS NOT NULL AND start_ns IS NOT NULL
-- @use prof_operators
-- @rows
SELECT device_id AS "Device_id", op_type AS "OP Type", core_type AS "Core Type", count AS "Count", CASE WHEN :_old THEN repr(1.0 * total_us) ELSE total_us END AS "Total Time(us)",
  CASE WHEN :_old THEN repr(1.0 * min_us) ELSE min_us END AS "Min Time(us)",
  CASE WHEN :_old THEN repr(1.0 * avg_us) ELSE avg_us END AS "Avg Time(us)",
  CASE WHEN :_old THEN repr(1.0 * max_us) ELSE max_us END AS "Max Time(us)",
  CASE WHEN :_old THEN repr(1.0 * ratio) ELSE ratio END AS "Ratio(%)"
FROM operator ORDER BY CASE WHEN :_old THEN device_id END, place
