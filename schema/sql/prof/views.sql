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

-- Samples of memories and links as rates, each over the time since the sample before it of the same source; times are ns of the host.
-- DDR is 256 bits wide on chips 1 to 4, else 128; HBM 256. The first sample counts from the beginning.
CREATE VIEW ddr_rate AS
SELECT s.device_id, d.controller, d.type, v.host_monotonic_ns + d.stamp_us * 1000 AS time_ns,
  d.count * CASE WHEN (SELECT chip FROM setting c WHERE c.device_id = s.device_id) BETWEEN 1 AND 4 THEN 256 ELSE 128 END / (8 * 1048576.0)
    / ((d.stamp_us - lag(d.stamp_us, 1, 0) OVER (PARTITION BY s.device_id, d.controller, d.type, d.master_id ORDER BY d.stamp_us)) / 1e6) AS mbs
FROM source s CROSS JOIN ddr d LEFT JOIN device v ON v.device_id = s.device_id
WHERE s.target = 'ddr' AND d.rowid BETWEEN s.first_row AND s.last_row;

CREATE VIEW hbm_rate AS
SELECT s.device_id, h.hbm_id, h.type, v.host_monotonic_ns + h.stamp_us * 1000 AS time_ns, h.count * 256 / (8 * 1048576.0)
  / ((h.stamp_us - lag(h.stamp_us, 1, 0) OVER (PARTITION BY s.device_id, h.hbm_id, h.type ORDER BY h.stamp_us)) / 1e6) AS mbs
FROM source s CROSS JOIN hbm h LEFT JOIN device v ON v.device_id = s.device_id
WHERE s.target = 'hbm' AND h.rowid BETWEEN s.first_row AND s.last_row;

-- The eight events of the last level cache as hit rate and MB/s.
CREATE VIEW llc_rate AS
SELECT m.device_id, l3t_id, v.host_monotonic_ns + stamp_us * 1000 AS time_ns,
  coalesce((SELECT llc FROM setting c WHERE c.device_id = m.device_id), 'read') AS mode,
  coalesce(1.0 * (coalesce(e2, 0) + coalesce(e3, 0) + coalesce(e5, 0) + coalesce(e7, 0)) / nullif(coalesce(e4, 0) + coalesce(e6, 0), 0), 0) AS hit_rate,
  coalesce((coalesce(e0, 0) + coalesce(e1, 0)) * 64 / 1048576.0
    / nullif((stamp_us - lag(stamp_us, 1, 0) OVER (PARTITION BY m.device_id, l3t_id ORDER BY stamp_us)) / 1e6, 0), 0) AS mbs
FROM (
  SELECT s.device_id, l.l3t_id, l.stamp_us,
    sum(count) FILTER (WHERE event = 0) AS e0, sum(count) FILTER (WHERE event = 1) AS e1, sum(count) FILTER (WHERE event = 2) AS e2,
    sum(count) FILTER (WHERE event = 3) AS e3, sum(count) FILTER (WHERE event = 4) AS e4, sum(count) FILTER (WHERE event = 5) AS e5,
    sum(count) FILTER (WHERE event = 6) AS e6, sum(count) FILTER (WHERE event = 7) AS e7
  FROM source s CROSS JOIN llc l WHERE s.target = 'llc' AND l.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY s.device_id, l.l3t_id, l.stamp_us
) m LEFT JOIN device v ON v.device_id = m.device_id;
