-- @needs tasks
-- @file op_statistic_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM task t JOIN op o ON o.id = t.op_id
  WHERE t.device_id = scope.device_id AND t.step_id IS scope._step AND t.unit IS NOT NULL)
-- @without
SELECT 'Model Name' WHERE :_step IS NULL
-- @use ascend2022_runs
-- @use ascend2022_statistic
-- @rows
SELECT model AS "Model Name", op_hash AS "OP Type", core AS "Core Type", count AS "Count", total_us AS "Total Time(us)",
  min_us AS "Min Time(us)", avg_us AS "Avg Time(us)", max_us AS "Max Time(us)", ratio AS "Ratio(%)"
FROM statistic ORDER BY model, total DESC, CASE WHEN :_step IS NULL THEN ratio ELSE longest END DESC, op_hash, core
