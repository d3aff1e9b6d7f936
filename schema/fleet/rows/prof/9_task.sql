-- Every task, as the host calls it.
-- @title task
-- @types int? int? int? int? word word word int? int? int?
-- @bulk
-- @each
SELECT 1 AS _one
-- @rows
SELECT t.device_id, nullif(t.model_id, 4294967295) AS model_id, t.stream_id, t.task_id,
  coalesce(word('name', 'name', t.op_name), nullif(printf('%u', t.op_name), '0'), word('name', 'name', t.kernel_name)) AS name,
  coalesce(word('name', 'name', t.op_type), nullif(printf('%u', t.op_type), '0')) AS type,
  coalesce(word('node_kind', 'name', t.node_type), word('task_kind', 'name', t.device_type), word('subtask_kind', 'name', t.device_type - 256),
    CAST(t.device_type AS TEXT)) AS kind,
  t.start_ns, t.dur_ns, t.launch_ns
FROM task t
