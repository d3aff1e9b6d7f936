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

-- Samples of a device with its number and times of the host. Most count from the start of the device, those of PCIe are its own clock's.
CREATE VIEW npu_mem_sample AS
SELECT s.device_id, n.event, n.ddr_bytes, n.hbm_bytes, d.host_monotonic_ns + n.stamp_us * 1000 AS time_ns
FROM source s CROSS JOIN npu_mem n LEFT JOIN device d ON d.device_id = s.device_id WHERE s.target = 'npu_mem' AND n.rowid BETWEEN s.first_row AND s.last_row;

CREATE VIEW pcie_sample AS
SELECT s.device_id, p.stamp + coalesce(c.ahead_ns, 0) AS time_ns, p.rowid AS row, p.*
FROM source s CROSS JOIN pcie p LEFT JOIN setting c ON c.device_id = s.device_id WHERE s.target = 'pcie' AND p.rowid BETWEEN s.first_row AND s.last_row;

-- Dies by their names.
CREATE VIEW sio_die_rate AS
SELECT r.*, n.name AS die FROM sio_rate r JOIN setting c USING (device_id) JOIN sample_die n ON n.chip = c.chip AND n.die_id = r.die_id;
