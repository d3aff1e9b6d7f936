-- Runs after relate.sql: collective operations and their steps.

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
INSERT INTO comm_task(id, op_id, info_row, is_master, connection_id, bandwidth)
SELECT s.id, o.id, s.row, s.is_master, s.connection_id, CASE WHEN s.end_ns > s.start_ns THEN 1.0 * coalesce(h.size, -1) / (s.end_ns - s.start_ns) ELSE 0 END
FROM temp.step s CROSS JOIN temp.op o ON o.device_id = s.device_id AND o.name = s.name AND o.step_group IS s.group_name
LEFT JOIN hccl_info h ON h.rowid = s.row ORDER BY s.id;

-- What the host says of the node is said of no step: but a kernel in a call bears the name of the call. At level 0, where nobody says what it is,
-- it is an operator of the node.
CREATE TEMP TABLE kernel AS
SELECT host_type, name FROM (SELECT host_type, coalesce((SELECT name FROM name n WHERE n.hash = t.host_type),
  (SELECT name FROM type_name n WHERE n.level = 5000 AND n.type = t.host_type)) AS name FROM (SELECT DISTINCT host_type FROM temp.launched) t)
WHERE name LIKE 'KERNEL%' OR name = 'STARS_COMMON';
CREATE UNIQUE INDEX temp.kernel_by_type ON kernel(host_type);
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.launched;
UPDATE task SET is_op = CASE WHEN l.level0 THEN task.is_op WHEN l.kernel IN ('KERNEL_AICORE', 'KERNEL_AICPU')
    THEN task.is_op + NOT coalesce((SELECT name FROM name n WHERE n.hash = l.item_id) LIKE '%AivKernel', 0) WHEN l.kernel IS NOT NULL THEN task.is_op END,
  op_name = CASE WHEN l.level0 THEN task.op_name ELSE l.item_id END, op_type = CASE WHEN l.kernel IS NOT NULL THEN task.op_type END,
  kernel_name = coalesce(nullif(task.kernel_name, 0), l.item_id),
  node_type = CASE WHEN l.level0 THEN task.node_type WHEN l.kernel = 'KERNEL_AICORE' THEN 9 WHEN l.kernel = 'KERNEL_AICPU' THEN 256 WHEN l.kernel IS NOT NULL THEN task.node_type END,
  tensor_id = CASE WHEN l.kernel IS NOT NULL THEN task.tensor_id END
FROM (SELECT s.id, k.name AS kernel, CASE WHEN k.name IS NOT NULL THEN c.item_id END AS item_id, k.name IS NOT NULL AND m.value AS level0
  FROM temp.launched s CROSS JOIN temp.comm_call c ON c.connection_id = s.call_id LEFT JOIN temp.kernel k ON k.host_type IS s.host_type
  LEFT JOIN meta m ON m.key = 'level0') l
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
