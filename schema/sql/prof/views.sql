-- What users and reports query. Only built-in functions: any sqlite3 shell can open it.

CREATE VIEW tasks AS
SELECT t.device_id, nullif(t.model_id, 4294967295) AS model_id, t.stream_id, t.task_id, t.start_ns, t.dur_ns,
       coalesce(o.name, CAST(t.op_name AS TEXT), k.name) AS name, coalesce(y.name, CAST(t.op_type AS TEXT)) AS type,
       coalesce(n.name, d.name, s.name, CAST(t.device_type AS TEXT)) AS task_type,
       t.batch_id, nullif(t.context_id, 4294967295) AS context_id, t.block_num, t.connection_id, t.launch_ns, t.thread_id, t.id
FROM task t
LEFT JOIN name o ON o.hash = t.op_name LEFT JOIN name y ON y.hash = t.op_type LEFT JOIN name k ON k.hash = t.kernel_name
LEFT JOIN node_kind n ON n.kind = t.node_type LEFT JOIN task_kind d ON d.kind = t.device_type
LEFT JOIN subtask_kind s ON s.kind = t.device_type - 256;

CREATE VIEW api_calls AS
SELECT a.connection_id, a.thread_id AS tid, coalesce(l.name, CAST(a.level AS TEXT)) AS level,
       coalesce(y.name, CAST(a.type AS TEXT)) AS name, a.start_ns, a.dur_ns, n.name AS item
FROM api a LEFT JOIN level l USING (level) LEFT JOIN type_name y USING (level, type) LEFT JOIN name n ON n.hash = a.item_id;
