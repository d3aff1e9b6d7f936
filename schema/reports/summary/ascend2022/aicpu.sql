-- @file aicpu_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM task t LEFT JOIN op o ON o.id = t.op_id
  WHERE t.device_id = scope.device_id AND t.step_id IS scope._step AND t.unit = 1
    AND (o.task_type = 'AI_CPU' AND (o.batch_id = t.batch_id OR (SELECT stars FROM setting x WHERE x.device_id = t.device_id))
      OR NOT EXISTS (SELECT 1 FROM op)))
-- @use ascend2022_runs
-- @use ascend2022_nodes
-- @rows
SELECT CASE WHEN start_ms = CAST(start_ms AS INTEGER) THEN CAST(start_ms AS INTEGER) ELSE start_ms END AS "Timestamp", name AS "Node",
  compute_ms AS "Compute_time(ms)", memcpy_ms AS "Memcpy_time(ms)", dur_ms AS "Task_time(ms)", dispatch_ms AS "Dispatch_time(ms)",
  total_ms AS "Total_time(ms)"
FROM node ORDER BY id
