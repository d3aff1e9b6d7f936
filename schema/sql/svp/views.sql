-- The views that users and reports query. They use only built-in functions, so that any sqlite3 shell can open a database.

CREATE VIEW tasks AS
SELECT s.device_id, s.model_id, t.stream_id, t.task_id, t.start_ns, t.dur_ns,
       coalesce(o.oris, o.names) AS name, o.types AS type, 'AA_CORE' AS task_type,
       s.model, s.batch, s.current_pic, s.id AS source_id, t.rowid AS row
FROM source s CROSS JOIN aicore_task t
LEFT JOIN op o ON o.net_id = s.net_id AND o.task_id = t.task_id AND o.stream_id = t.stream_id
WHERE s.target = 'aicore_task' AND t.rowid BETWEEN s.first_row AND s.last_row
UNION ALL
SELECT s.device_id, s.model_id, t.stream_id, t.task_id, t.start_ns, t.dur_ns,
       coalesce(o.oris, o.names), o.types, 'AA_CPU',
       s.model, s.batch, s.current_pic, s.id AS source_id, t.rowid AS row
FROM source s CROSS JOIN aicpu_task t
LEFT JOIN op o ON o.net_id = s.net_id AND o.task_id = t.task_id AND o.stream_id = t.stream_id
WHERE s.target = 'aicpu_task' AND t.rowid BETWEEN s.first_row AND s.last_row;

CREATE VIEW api_calls AS
SELECT s.device_id, c.pid, c.tid,
       CASE c.type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 4 THEN 'others'
                   WHEN 5 THEN 'msproftx' ELSE CAST(c.type AS TEXT) END AS type,
       c.name, c.start_ns, c.dur_ns, s.model, s.model_id,
       s.id AS source_id, c.rowid AS row
FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row;

-- In how many parts layouts divide a cycle of aicore_task and aicpu_task, and a nanosecond of api_call.dur_parts; 1 where all are whole. `both`
-- has whole numbers of the parts of both tables of tasks.
CREATE VIEW parts AS
WITH RECURSIVE given AS (
  SELECT CAST(coalesce(max(value) FILTER (WHERE key = 'parts.aicore_task'), 1) AS INTEGER) AS core,
    CAST(coalesce(max(value) FILTER (WHERE key = 'parts.aicpu_task'), 1) AS INTEGER) AS cpu,
    CAST(coalesce(max(value) FILTER (WHERE key = 'parts.api_call'), 1) AS INTEGER) AS call
  FROM meta
), euclid(a, b) AS (
  SELECT core, cpu FROM given UNION ALL SELECT b, a % b FROM euclid WHERE b > 0
)
SELECT core, cpu, core / a * cpu AS both, call FROM given, euclid WHERE b = 0;
