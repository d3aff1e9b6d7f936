-- The views that users and reports query. They use only built-in functions, so that any sqlite3 shell can open a database.

CREATE VIEW tasks AS
SELECT t.device_id, coalesce(o.model_id, s.model_id) AS model_id, t.stream_id, t.task_id, t.start_ns, t.dur_ns,
       o.name, o.type, coalesce(o.task_type, 'AI_CORE') AS task_type,
       (SELECT name FROM model_load m WHERE m.model_id = coalesce(o.model_id, s.model_id)) AS model,
       s.iteration, t.batch_id, o.block_dim, t.id
FROM task t LEFT JOIN op o ON o.id = t.op_id LEFT JOIN step s ON s.id = t.step_id;

CREATE VIEW api_calls AS
SELECT s.device_id, c.pid, c.tid,
       CASE c.type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 4 THEN 'others'
                   ELSE CAST(c.type AS TEXT) END AS type,
       c.name, c.start_ns, c.dur_ns, s.id AS source_id, c.rowid AS row
FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row;
