-- @file ai_core_op_summary
-- @title ai_core_metrics
-- @each
SELECT device_id FROM device d WHERE EXISTS (SELECT 1 FROM counter c WHERE c.device_id = d.device_id)
  AND EXISTS (SELECT 1 FROM task t WHERE t.device_id = d.device_id AND (t.aic_cycles IS NOT NULL OR t.aiv_cycles IS NOT NULL))
-- @use prof_metrics
-- @use prof_metric_columns
-- @columns
-- @use prof_tasks
-- @rows
SELECT task_id, stream_id, context_id AS subtask_id, batch_id{columns}
FROM run WHERE device_id = :device_id AND zero IS NOT NULL ORDER BY id
