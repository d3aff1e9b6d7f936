-- Runs after aicpu.sql: what steps of collective operations moved, the devices to measure, and tracks of the trace.

-- Payloads that follow each other on a plane of an operation share the time up to the end of their transfer: the third task from the
-- last payload on, of those with a barrier the fifth.
-- @when EXISTS (SELECT 1 FROM comm_task) AND EXISTS (SELECT 1 FROM hccl_info WHERE rdma_type = 1)
CREATE TEMP TABLE sent AS
SELECT id, op_id, plane_id, size, start_ns, end_ns, is_payload, n, n - row_number() OVER (PARTITION BY op_id, plane_id, is_payload ORDER BY n) AS island, jump
FROM (SELECT c.id, c.op_id, h.plane_id, h.size, t.start_ns, t.start_ns + t.dur_ns AS end_ns, h.rdma_type IS 1 AS is_payload,
    CASE WHEN lower(o.name) LIKE '%send%' OR lower(o.name) LIKE '%receive%' THEN 3 ELSE 5 END AS jump,
    row_number() OVER (PARTITION BY c.op_id, h.plane_id ORDER BY t.start_ns, t.id) AS n
  FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN comm_op o ON o.id = c.op_id LEFT JOIN hccl_info h ON h.rowid = c.info_row);
CREATE INDEX temp.sent_by_place ON sent(op_id, plane_id, n);
UPDATE comm_task SET bandwidth = p.bandwidth
FROM (SELECT s.id, CASE WHEN e.end_ns > i.start_ns THEN 1.0 * i.size / (e.end_ns - i.start_ns) ELSE 0 END AS bandwidth
  FROM (SELECT op_id, plane_id, island, min(start_ns) AS start_ns, total(size) AS size, max(n) + jump - 1 AS last FROM temp.sent WHERE is_payload
    GROUP BY op_id, plane_id, island) i
  CROSS JOIN temp.sent e ON e.op_id = i.op_id AND e.plane_id IS i.plane_id AND e.n = i.last
  CROSS JOIN temp.sent s ON s.op_id = i.op_id AND s.plane_id IS i.plane_id AND s.is_payload AND s.island = i.island) p
WHERE comm_task.id = p.id;
DROP TABLE temp.sent;
-- @end

-- What the steps of an operation did on each of its planes.
-- @when EXISTS (SELECT 1 FROM comm_task WHERE info_row IS NOT NULL)
CREATE VIRTUAL TABLE temp.transfer USING transfers(
  SELECT c.op_id << 32 | h.plane_id, c.id, CASE WHEN h.transport_type = 0 AND n.name IN ('Memcpy', 'Reduce_Inline')
      THEN CASE h.link_type WHEN 0 THEN 2 ELSE 1 END WHEN n.name = 'Notify_Wait' THEN 3 ELSE 0 END, h.rdma_type = 1,
    CASE WHEN lower(o.name) LIKE '%send%' OR lower(o.name) LIKE '%receive%' THEN 3 ELSE 5 END, h.size, t.start_ns, t.start_ns + t.dur_ns
  FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN comm_op o ON o.id = c.op_id CROSS JOIN hccl_info h ON h.rowid = c.info_row
  LEFT JOIN name n ON n.hash = h.item_id
  WHERE t.start_ns >= coalesce((SELECT value FROM meta WHERE key = 'begin_ns'), t.start_ns) ORDER BY c.op_id, h.plane_id, t.start_ns, c.id);
INSERT INTO comm_transfer SELECT id, what, size, ns FROM temp.transfer ORDER BY id, what;
DROP TABLE temp.transfer;
-- @end

-- Devices that communicate, whose tasks are other operators by now, or whose clock has no whole ns: busy.sql measures them anew.
CREATE TEMP TABLE measured AS
SELECT device_id FROM comm_op UNION SELECT device_id FROM device CROSS JOIN odd_clock WHERE tick_ns UNION SELECT t.device_id FROM temp.changed c CROSS JOIN task t ON t.id = c.id;

-- A track of the trace for the operations of each group, and for each plane of a group; types of operations as the statistic has them.
-- Both are in the order of tables which the reference fills from tables.
-- @when EXISTS (SELECT 1 FROM comm_op)
CREATE TEMP TABLE grouped AS
SELECT device_id, step_group, on_aicpu, max(CASE WHEN plane_id BETWEEN 0 AND 4294967294 THEN plane_id ELSE 0 END) AS last, min(start_ns) AS at,
  text_hash(CASE WHEN step_group IS NULL THEN 'N/A' ELSE coalesce((SELECT name FROM name n WHERE n.hash = step_group), printf('%u', step_group)) END ||
    CASE WHEN on_aicpu THEN ' Aicpu' ELSE '' END) AS hash
FROM (SELECT o.device_id, o.step_group, o.on_aicpu, h.plane_id, t.start_ns
  FROM comm_task c CROSS JOIN comm_op o ON o.id = c.op_id CROSS JOIN task t ON t.id = c.id LEFT JOIN hccl_info h ON h.rowid = c.info_row)
GROUP BY device_id, step_group, on_aicpu;
CREATE VIRTUAL TABLE temp.first_groups USING hash_order(SELECT device_id << 1 | on_aicpu, rowid, hash FROM temp.grouped ORDER BY device_id, on_aicpu, at);
CREATE VIRTUAL TABLE temp.group_order USING hash_order(
  SELECT g.device_id, g.rowid, g.hash FROM temp.first_groups f CROSS JOIN temp.grouped g ON g.rowid = f.id ORDER BY g.device_id, g.on_aicpu, f.rowid);
CREATE VIRTUAL TABLE temp.first_devices USING hash_order(SELECT 0, device_id, device_id FROM temp.grouped GROUP BY device_id ORDER BY device_id DESC);
CREATE VIRTUAL TABLE temp.device_order USING hash_order(SELECT 0, id, id FROM temp.first_devices ORDER BY rowid);
INSERT INTO comm_track(device_id, step_group, on_aicpu, track)
SELECT g.device_id, g.step_group, g.on_aicpu, CAST(total(g.last + 2) OVER (ORDER BY d.rowid, o.rowid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS INTEGER)
FROM temp.device_order d CROSS JOIN temp.group_order o CROSS JOIN temp.grouped g ON g.rowid = o.id WHERE g.device_id = d.id;
CREATE TEMP TABLE single AS
SELECT o.device_id, o.op_type, min(t.start_ns) AS at, text_hash(o.name || '-' || (coalesce(h.cntvct, 0) + CAST(round((a.start_ns - h.ns) * h.mhz / 1000) AS INTEGER)) || '-' ||
    CASE WHEN o.op_type IS NULL THEN 'N/A' ELSE coalesce((SELECT name FROM name n WHERE n.hash = o.op_type), printf('%u', o.op_type)) END) AS hash
FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN comm_op o ON o.id = c.op_id CROSS JOIN api a ON a.connection_id = c.connection_id
LEFT JOIN (SELECT coalesce((SELECT CAST(trim(substr(text, instr(text, 'clock_monotonic_raw:') + 20)) AS INTEGER) FROM control
    WHERE name = 'host_start.log' AND device_id IS NULL AND instr(text, 'clock_monotonic_raw:')), 0) AS ns,
  (SELECT CAST(trim(substr(text, instr(text, 'cntvct:') + 7)) AS INTEGER) FROM control WHERE name = 'host_start.log' AND device_id IS NULL AND instr(text, 'cntvct:')) AS cntvct,
  coalesce(nullif((SELECT CAST(json_extract(text, '$.CPU[0].Frequency') AS REAL) FROM control WHERE name = 'info.json' AND device_id IS NULL), 0), 1000) AS mhz) h
WHERE c.is_master AND NOT c.on_aicpu GROUP BY o.device_id, o.name, c.connection_id, o.op_type;
CREATE VIRTUAL TABLE temp.first_types USING hash_order(SELECT device_id, rowid, hash FROM temp.single ORDER BY device_id, at);
CREATE TEMP TABLE kind AS
SELECT device_id, op_type, text_hash(CASE WHEN op_type IS NULL THEN 'N/A' ELSE coalesce((SELECT name FROM name n WHERE n.hash = op_type), printf('%u', op_type)) END) AS hash,
  min(f.rowid) AS at FROM temp.first_types f CROSS JOIN temp.single s ON s.rowid = f.id GROUP BY device_id, op_type;
CREATE VIRTUAL TABLE temp.type_order USING hash_order(SELECT device_id, rowid, hash FROM temp.kind ORDER BY device_id, at);
INSERT INTO comm_type SELECT k.device_id, k.op_type, o.rowid FROM temp.type_order o CROSS JOIN temp.kind k ON k.rowid = o.id;
DROP TABLE temp.grouped;
DROP TABLE temp.first_groups;
DROP TABLE temp.group_order;
DROP TABLE temp.first_devices;
DROP TABLE temp.device_order;
DROP TABLE temp.single;
DROP TABLE temp.first_types;
DROP TABLE temp.kind;
DROP TABLE temp.type_order;
-- @end
