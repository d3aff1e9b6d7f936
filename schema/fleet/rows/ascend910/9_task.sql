-- Every task.
-- @title task
-- @types int? int? int? int? word word word int? int? int?
-- @bulk
-- @each
SELECT 1 AS _one
-- @rows
SELECT device_id, model_id, stream_id, task_id, name, type, task_type AS kind, start_ns, dur_ns, NULL AS launch_ns FROM tasks
