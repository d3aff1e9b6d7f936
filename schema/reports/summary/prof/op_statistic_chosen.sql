-- @needs tasks
-- @file op_statistic_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE _of_model AND EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1 AND op_type IS NOT NULL)
-- @tally
SELECT device_id, model_id, op_type, node_type, dur_ns AS value FROM task WHERE is_op = 1 AND op_type IS NOT NULL AND start_ns IS NOT NULL
-- @rows
-- operators of iterations, by the name of their model
WITH sums AS (
  SELECT k1 AS device_id, coalesce((SELECT coalesce(word('name', 'name', g.model_name), printf('%u', g.model_name)) FROM graph_id_map g WHERE g.model_id = k2
      ORDER BY g.rowid DESC LIMIT 1), 'N/A') AS model,
    coalesce((SELECT name FROM name WHERE hash = k3), printf('%u', k3)) AS op_type, coalesce((SELECT name FROM node_kind WHERE kind = k4), CAST(k4 AS TEXT)) AS core_type,
    total_int(count) AS count, total_int(total) AS total, min(shortest) AS shortest, max(longest) AS longest
  FROM tally GROUP BY k1, 2, k3, k4
)
SELECT device_id AS "Device_id", model AS "Model Name", op_type AS "OP Type", core_type AS "Core Type", count AS "Count", repr(1.0 * trimmed(total / 1000.0)) AS "Total Time(us)",
  repr(1.0 * trimmed(shortest / 1000.0)) AS "Min Time(us)", repr(1.0 * trimmed(total / count / 1000.0)) AS "Avg Time(us)", repr(1.0 * trimmed(longest / 1000.0)) AS "Max Time(us)",
  repr(1.0 * trimmed(100.0 * total / nullif(total(total) OVER (PARTITION BY device_id, model), 0))) AS "Ratio(%)"
FROM sums ORDER BY device_id, model, total DESC, longest DESC, op_type, core_type
