-- @file ai_stack_time_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM (
  SELECT scope.*, max((SELECT count(*) FROM step s WHERE s.device_id = scope.device_id AND s.id <= scope._step), 1) AS _n FROM scope) scope
WHERE EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step AND t.unit IS NOT NULL) AND _n = _iteration
    AND (EXISTS (SELECT 1 FROM op) OR EXISTS (SELECT 1 FROM aicore_pmu))
  OR _n <= (SELECT count(*) FROM source s CROSS JOIN api_call c
    WHERE s.target = 'api_call' AND s.device_id = scope.device_id AND c.rowid BETWEEN s.first_row AND s.last_row AND c.name IN ('aclmdlExecute', 'aclopExecute'))
-- @use ascend2022_runs
-- @use ascend2022_stack
-- @rows
SELECT :_n AS "Infer ID", 'ACL' AS "Module", name AS "API", start_ns AS "Start Time", dur_ns AS "Duration(ns)" FROM stack
UNION ALL
SELECT :_n, 'GE', name, 1.0 * start_ns, 1.0 * dur_ns FROM phase
UNION ALL
SELECT :_n, 'Task Scheduler', 'N/A', CASE WHEN start = CAST(start AS INTEGER) THEN CAST(start AS INTEGER) ELSE start END,
  CASE WHEN is_whole THEN CAST(dur AS INTEGER) ELSE dur END
FROM scheduled
