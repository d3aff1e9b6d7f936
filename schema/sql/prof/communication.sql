-- Runs after relate.sql: collective operations, their steps, and where devices compute, communicate, or are free.

-- A step is what was launched in a call of the level of communication within the call of a node, and what is said there of its context;
-- of several records of a context the last counts. The envelope of sub-tasks is no step.
-- @when EXISTS (SELECT 1 FROM call_kind WHERE id >> 32 = 5500)
CREATE TEMP TABLE comm_call AS SELECT connection_id, thread_id, start_ns, start_ns + dur_ns AS end_ns, dur_ns, item_id,
  (SELECT name = 'master' FROM type_name n WHERE n.level = a.level AND n.type = a.type) AS is_master FROM api a WHERE level = 5500;
CREATE UNIQUE INDEX temp.comm_call_by_number ON comm_call(connection_id);
INSERT INTO item_call
SELECT item_id, count(*), total_int(dur_ns), min(dur_ns), max(dur_ns), total(1.0 * dur_ns * dur_ns) FROM temp.comm_call WHERE dur_ns >= 0 GROUP BY item_id;
CREATE VIRTUAL TABLE temp.comm_around USING intervals(SELECT thread_id, start_ns, end_ns, connection_id FROM temp.comm_call ORDER BY connection_id);
CREATE TEMP TABLE described AS
SELECT c.value AS call_id, h.context_id, max(h.rowid) AS row
FROM hccl_info h CROSS JOIN temp.comm_around c ON c.key = h.thread_id AND c.at = h.time_ns GROUP BY c.value, h.context_id;
CREATE UNIQUE INDEX temp.described_by_call ON described(call_id, context_id);
CREATE TEMP TABLE context_span AS
SELECT c.value AS call_id, number_at(i.contexts, 0, 4) AS first, number_at(i.contexts, 4, 4) AS last
FROM context_id_info i CROSS JOIN temp.comm_around c ON c.key = i.thread_id AND c.at = i.time_ns WHERE i.level = 5500 AND i.context_num = 2;
CREATE INDEX temp.context_span_by_call ON context_span(call_id);
CREATE TEMP TABLE launched AS
SELECT t.id, t.device_id, t.stream_id, t.task_id, t.batch_id, t.context_id, t.thread_id, t.launch_ns, t.start_ns, t.start_ns + t.dur_ns AS end_ns, t.host_type,
  t.op_type, n.value AS node_id, c.value AS call_id, d.row,
  CASE WHEN EXISTS (SELECT 1 FROM temp.context_span s WHERE s.call_id = c.value)
    THEN EXISTS (SELECT 1 FROM temp.context_span s WHERE s.call_id = c.value AND t.context_id BETWEEN s.first AND s.last)
  ELSE d.row IS NOT NULL OR (t.context_id = 4294967295 AND NOT EXISTS (SELECT 1 FROM temp.described e WHERE e.call_id = c.value)) END AS is_step
FROM task t CROSS JOIN temp.comm_around c ON c.key = t.thread_id AND c.at = t.launch_ns
CROSS JOIN temp.node n ON n.key = t.thread_id AND n.at = t.launch_ns
LEFT JOIN temp.described d ON d.call_id = c.value AND d.context_id = t.context_id
WHERE t.start_ns IS NOT NULL;
CREATE INDEX temp.launched_by_node ON launched(node_id);

-- An operation is the outermost call of a node in which steps were launched. Of several records of a call the first counts.
CREATE TEMP TABLE operation AS
SELECT connection_id, thread_id, start_ns, end_ns, item_id FROM (
  SELECT connection_id, thread_id, start_ns, start_ns + dur_ns AS end_ns, item_id, coalesce(max(start_ns + dur_ns)
    OVER (PARTITION BY thread_id ORDER BY connection_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) >= start_ns + dur_ns, 0) AS is_inner
  FROM api WHERE connection_id IN (SELECT node_id FROM temp.launched WHERE is_step)) WHERE NOT is_inner;
CREATE UNIQUE INDEX temp.operation_by_number ON operation(connection_id);
CREATE VIRTUAL TABLE temp.operation_around USING intervals(SELECT thread_id, start_ns, end_ns, connection_id FROM temp.operation ORDER BY connection_id);
CREATE TEMP TABLE said(connection_id INTEGER PRIMARY KEY, row INTEGER);
INSERT OR IGNORE INTO temp.said
SELECT n.value, i.rowid FROM hccl_op_info i CROSS JOIN temp.operation_around n ON n.key = i.thread_id AND n.at = i.time_ns ORDER BY i.time_ns, i.rowid;
CREATE TEMP TABLE typed(connection_id INTEGER PRIMARY KEY, op_type INTEGER);
INSERT OR IGNORE INTO temp.typed
SELECT node_id, op_type FROM temp.launched WHERE op_type IS NOT NULL ORDER BY context_id <> 4294967295, id;

-- An operation is called NAME_GROUP_INDEX_RUN: the last digits of the group's hash, and the number of operations of the group before it,
-- counted in the order of launches since the beginning of the collection; kernels of the AI CPU are counted apart.
CREATE TEMP TABLE counted AS
SELECT s.id, s.device_id, s.row, s.launch_ns, s.start_ns, s.end_ns, o.connection_id, c.is_master, coalesce(h.group_name, i.group_name) AS group_name,
  coalesce(h.rank_size, 0) AS rank_size, o.start_ns AS first_ns, coalesce((SELECT name FROM name n WHERE n.hash = o.item_id), printf('%u', o.item_id)) AS item,
  s.start_ns <= coalesce((SELECT value FROM meta WHERE key = 'begin_ns'), 0) AS is_early,
  row_number() OVER (PARTITION BY s.device_id, s.stream_id, s.task_id, s.batch_id, s.context_id ORDER BY s.launch_ns, s.start_ns) AS run
FROM temp.launched s CROSS JOIN temp.operation_around a ON a.key = s.thread_id AND a.at = s.launch_ns
CROSS JOIN temp.operation o ON o.connection_id = a.value CROSS JOIN temp.comm_call c ON c.connection_id = s.call_id
LEFT JOIN temp.said d ON d.connection_id = o.connection_id LEFT JOIN hccl_op_info i ON i.rowid = d.row LEFT JOIN hccl_info h ON h.rowid = s.row
WHERE s.is_step;
CREATE TEMP TABLE step AS
SELECT id, device_id, row, launch_ns, start_ns, end_ns, connection_id, is_master, group_name, rank_size,
  item || '_' || CASE WHEN group_name IS NULL THEN 'N/A' ELSE substr(printf('%u', group_name), -3) END || '_' || (count(*) FILTER (WHERE is_next) OVER w - 1) || '_' || run AS name
FROM (SELECT *, NOT is_early AND first_ns > coalesce(max(first_ns) FILTER (WHERE NOT is_early) OVER (
    PARTITION BY device_id, group_name, is_kernel ORDER BY launch_ns, start_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS is_next
  FROM (SELECT *, instr(item, 'AicpuKernel') > 0 AS is_kernel FROM temp.counted))
WINDOW w AS (PARTITION BY device_id, group_name, is_kernel ORDER BY launch_ns, start_ns ROWS UNBOUNDED PRECEDING);

-- It spans its steps of the master stream; its rank size is that of its last step.
CREATE TEMP TABLE named AS
SELECT device_id, name, group_name, max(connection_id) FILTER (WHERE n = 1) AS connection_id, max(id) FILTER (WHERE n = 1) AS first,
  min(start_ns) AS at, min(start_ns) FILTER (WHERE is_master) AS start_ns, max(end_ns) FILTER (WHERE is_master) AS end_ns
FROM (SELECT *, row_number() OVER (PARTITION BY device_id, name, group_name ORDER BY start_ns, id) AS n FROM temp.step) GROUP BY device_id, name, group_name;
-- The reference numbers operations as they come from its table, by device.
CREATE VIRTUAL TABLE temp.placed USING hash_order(
  SELECT device_id, rowid, text_hash(name || '_' || CASE WHEN group_name IS NULL THEN 'N/A' ELSE printf('%u', group_name) END || '_' || device_id)
  FROM temp.named ORDER BY device_id DESC, at);
CREATE TEMP TABLE last_step AS
SELECT device_id, connection_id, rank_size FROM (
  SELECT device_id, connection_id, rank_size, row_number() OVER (PARTITION BY device_id, connection_id ORDER BY launch_ns DESC, start_ns DESC) AS n FROM temp.step)
WHERE n = 1;
CREATE UNIQUE INDEX temp.last_step_by_call ON last_step(connection_id, device_id);
INSERT INTO comm_op(device_id, connection_id, name, op_type, start_ns, end_ns, step_group, group_name, relay, retry, data_type, alg_type, count, rank_size, model_id)
SELECT o.device_id, o.connection_id, o.name, y.op_type, o.start_ns, o.end_ns, o.group_name, i.group_name, i.relay, i.retry, i.data_type, i.alg_type, i.count,
  l.rank_size, t.model_id
FROM temp.placed p CROSS JOIN temp.named o ON o.rowid = p.id CROSS JOIN task t ON t.id = o.first
CROSS JOIN temp.last_step l ON l.connection_id = o.connection_id AND l.device_id = o.device_id
LEFT JOIN temp.typed y ON y.connection_id = o.connection_id LEFT JOIN temp.said d ON d.connection_id = o.connection_id LEFT JOIN hccl_op_info i ON i.rowid = d.row
ORDER BY o.start_ns IS NULL, p.rowid;
CREATE TEMP TABLE op AS SELECT device_id, name, step_group, id FROM comm_op;
CREATE INDEX temp.op_by_name ON op(device_id, name);
INSERT INTO comm_task
SELECT s.id, o.id, s.row, s.is_master, s.connection_id, CASE WHEN s.end_ns > s.start_ns THEN 1.0 * coalesce(h.size, -1) / (s.end_ns - s.start_ns) ELSE 0 END
FROM temp.step s CROSS JOIN temp.op o ON o.device_id = s.device_id AND o.name = s.name AND o.step_group IS s.group_name
LEFT JOIN hccl_info h ON h.rowid = s.row ORDER BY s.id;

-- What the host says of the node is said of no step: but a kernel in a call bears the name of the call.
CREATE TEMP TABLE kernel AS
SELECT host_type, name FROM (SELECT host_type, coalesce((SELECT name FROM name n WHERE n.hash = t.host_type),
  (SELECT name FROM type_name n WHERE n.level = 5000 AND n.type = t.host_type)) AS name FROM (SELECT DISTINCT host_type FROM temp.launched) t)
WHERE name LIKE 'KERNEL%' OR name = 'STARS_COMMON';
CREATE UNIQUE INDEX temp.kernel_by_type ON kernel(host_type);
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.launched;
UPDATE task SET is_op = CASE WHEN l.kernel IN ('KERNEL_AICORE', 'KERNEL_AICPU') THEN task.is_op + NOT coalesce((SELECT name FROM name n WHERE n.hash = l.item_id) LIKE '%AivKernel', 0)
    WHEN l.kernel IS NOT NULL THEN task.is_op END, op_name = l.item_id, op_type = CASE WHEN l.kernel IS NOT NULL THEN task.op_type END, kernel_name = coalesce(l.item_id, task.kernel_name),
  node_type = CASE l.kernel WHEN 'KERNEL_AICORE' THEN 9 WHEN 'KERNEL_AICPU' THEN 256 ELSE CASE WHEN l.kernel IS NOT NULL THEN task.node_type END END,
  tensor_id = CASE WHEN l.kernel IS NOT NULL THEN task.tensor_id END
FROM (SELECT s.id, k.name AS kernel, CASE WHEN k.name IS NOT NULL THEN c.item_id END AS item_id
  FROM temp.launched s CROSS JOIN temp.comm_call c ON c.connection_id = s.call_id LEFT JOIN temp.kernel k ON k.host_type IS s.host_type) l
WHERE task.id = l.id;
DROP TABLE temp.comm_call;
DROP TABLE temp.comm_around;
DROP TABLE temp.described;
DROP TABLE temp.context_span;
DROP TABLE temp.launched;
DROP TABLE temp.operation;
DROP TABLE temp.operation_around;
DROP TABLE temp.said;
DROP TABLE temp.typed;
DROP TABLE temp.counted;
DROP TABLE temp.step;
DROP TABLE temp.named;
DROP TABLE temp.placed;
DROP TABLE temp.last_step;
DROP TABLE temp.op;
DROP TABLE temp.kernel;
-- @end
DROP TABLE temp.node;

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

-- Of devices that communicate, or whose tasks are other operators by now: 0 computing, 1 communication, 2 communication while nothing computes, 3 neither.
-- @when EXISTS (SELECT 1 FROM comm_op) OR EXISTS (SELECT 1 FROM temp.changed)
CREATE TEMP TABLE measured AS SELECT device_id FROM comm_op UNION SELECT t.device_id FROM temp.changed c CROSS JOIN task t ON t.id = c.id;
CREATE TEMP TABLE quiet_type AS
SELECT host_type FROM (SELECT host_type, coalesce((SELECT name FROM name n WHERE n.hash = t.host_type),
  (SELECT name FROM type_name n WHERE n.level = 5000 AND n.type = t.host_type)) AS name FROM (SELECT DISTINCT host_type FROM task) t)
WHERE name IN ('KERNEL_AICORE', 'KERNEL_AIVEC', 'FFTS_PLUS', 'KERNEL_MIX_AIC', 'KERNEL_MIX_AIV', 'PROFILING_ENABLE', 'PROFILING_DISABLE');
CREATE TEMP TABLE busy AS
SELECT device_id, 1 AS kind, start_ns, end_ns FROM comm_op WHERE end_ns > start_ns
UNION ALL
SELECT device_id, 0, start_ns, start_ns + dur_ns FROM task
WHERE device_id IN (SELECT device_id FROM temp.measured) AND start_ns IS NOT NULL AND is_op AND dur_ns > 0
  AND coalesce((SELECT name FROM name n WHERE n.hash = op_name) NOT LIKE '%AicpuKernel' AND (SELECT name FROM name n WHERE n.hash = op_name) NOT LIKE '%AivKernel', 1);
DELETE FROM overlap WHERE device_id IN (SELECT device_id FROM temp.measured);
INSERT INTO overlap(device_id, kind, start_ns, end_ns)
SELECT device_id, kind, min(start_ns), max(end_ns) FROM (
  SELECT device_id, kind, start_ns, end_ns, count(*) FILTER (WHERE begins) OVER (PARTITION BY device_id, kind ORDER BY number) AS island FROM (
    SELECT *, coalesce(start_ns > max(end_ns) OVER (PARTITION BY device_id, kind ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 1) AS begins
    FROM (SELECT *, row_number() OVER (PARTITION BY device_id, kind ORDER BY start_ns, end_ns) AS number FROM temp.busy)))
GROUP BY device_id, kind, island;
INSERT INTO overlap(device_id, kind, start_ns, end_ns)
SELECT device_id, kind, min(at), max(until) FROM (
  SELECT device_id, kind, at, until, n - row_number() OVER (PARTITION BY device_id, kind ORDER BY n) AS island FROM (
    SELECT device_id, at, until, CASE WHEN computes THEN 0 WHEN communicates THEN 2 ELSE 3 END AS kind, row_number() OVER (PARTITION BY device_id ORDER BY at) AS n FROM (
      SELECT device_id, at, lead(at) OVER w AS until, total(computes) OVER w > 0 AS computes, total(communicates) OVER w > 0 AS communicates FROM (
        SELECT device_id, at, total(change * (kind = 0)) AS computes, total(change * (kind = 1)) AS communicates FROM (
          SELECT device_id, kind, start_ns AS at, 1 AS change FROM overlap WHERE device_id IN (SELECT device_id FROM temp.measured)
          UNION ALL SELECT device_id, kind, end_ns, -1 FROM overlap WHERE device_id IN (SELECT device_id FROM temp.measured)
          UNION ALL SELECT device_id, 3, min(start_ns), 0 FROM task WHERE start_ns IS NOT NULL AND coalesce(host_type NOT IN (SELECT host_type FROM temp.quiet_type), 1)
            AND device_id IN (SELECT device_id FROM temp.measured) GROUP BY device_id
          UNION ALL SELECT device_id, 3, max(start_ns + dur_ns), 0 FROM task WHERE start_ns IS NOT NULL AND coalesce(host_type NOT IN (SELECT host_type FROM temp.quiet_type), 1)
            AND device_id IN (SELECT device_id FROM temp.measured) GROUP BY device_id)
        GROUP BY device_id, at)
      WINDOW w AS (PARTITION BY device_id ORDER BY at))
    WHERE until IS NOT NULL))
WHERE kind > 0 GROUP BY device_id, kind, island;
DROP TABLE temp.busy;
DROP TABLE temp.quiet_type;
DROP TABLE temp.measured;
-- @end

-- A track of the trace for the operations of each group, and for each plane of a group; types of operations as the statistic has them.
-- Both are in the order of tables which the reference fills from tables.
-- @when EXISTS (SELECT 1 FROM comm_op)
CREATE TEMP TABLE grouped AS
SELECT device_id, step_group, max(CASE WHEN plane_id < 4294967295 THEN plane_id ELSE 0 END) AS last, min(start_ns) AS at,
  text_hash(CASE WHEN step_group IS NULL THEN 'N/A' ELSE coalesce((SELECT name FROM name n WHERE n.hash = step_group), printf('%u', step_group)) END) AS hash
FROM (SELECT o.device_id, o.step_group, h.plane_id, t.start_ns
  FROM comm_task c CROSS JOIN comm_op o ON o.id = c.op_id CROSS JOIN task t ON t.id = c.id LEFT JOIN hccl_info h ON h.rowid = c.info_row)
GROUP BY device_id, step_group;
CREATE VIRTUAL TABLE temp.first_groups USING hash_order(SELECT device_id, rowid, hash FROM temp.grouped ORDER BY device_id, at);
CREATE VIRTUAL TABLE temp.group_order USING hash_order(
  SELECT g.device_id, g.rowid, g.hash FROM temp.first_groups f CROSS JOIN temp.grouped g ON g.rowid = f.id ORDER BY g.device_id, f.rowid);
CREATE VIRTUAL TABLE temp.first_devices USING hash_order(SELECT 0, device_id, device_id FROM temp.grouped GROUP BY device_id ORDER BY device_id DESC);
CREATE VIRTUAL TABLE temp.device_order USING hash_order(SELECT 0, id, id FROM temp.first_devices ORDER BY rowid);
INSERT INTO comm_track
SELECT g.device_id, g.step_group, CAST(total(g.last + 2) OVER (ORDER BY d.rowid, o.rowid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS INTEGER)
FROM temp.device_order d CROSS JOIN temp.group_order o CROSS JOIN temp.grouped g ON g.rowid = o.id WHERE g.device_id = d.id;
CREATE TEMP TABLE single AS
SELECT o.device_id, o.op_type, min(t.start_ns) AS at, text_hash(o.name || '-' || (coalesce(h.cntvct, 0) + CAST(round((a.start_ns - h.ns) * h.mhz / 1000) AS INTEGER)) || '-' ||
    CASE WHEN o.op_type IS NULL THEN 'N/A' ELSE coalesce((SELECT name FROM name n WHERE n.hash = o.op_type), printf('%u', o.op_type)) END) AS hash
FROM comm_task c CROSS JOIN task t ON t.id = c.id CROSS JOIN comm_op o ON o.id = c.op_id CROSS JOIN api a ON a.connection_id = c.connection_id
LEFT JOIN (SELECT coalesce((SELECT CAST(trim(substr(text, instr(text, 'clock_monotonic_raw:') + 20)) AS INTEGER) FROM control
    WHERE name = 'host_start.log' AND device_id IS NULL AND instr(text, 'clock_monotonic_raw:')), 0) AS ns,
  (SELECT CAST(trim(substr(text, instr(text, 'cntvct:') + 7)) AS INTEGER) FROM control WHERE name = 'host_start.log' AND device_id IS NULL AND instr(text, 'cntvct:')) AS cntvct,
  coalesce(nullif((SELECT CAST(json_extract(text, '$.CPU[0].Frequency') AS REAL) FROM control WHERE name = 'info.json' AND device_id IS NULL), 0), 1000) AS mhz) h
WHERE c.is_master GROUP BY o.device_id, o.name, c.connection_id, o.op_type;
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
