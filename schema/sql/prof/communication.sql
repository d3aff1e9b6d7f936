-- Runs after relate.sql: collective operations, their steps, and where devices compute, communicate, or are free.

-- An operation is what ran in a call of a node that is one (HCCL, or with an hccl_op_info in it); a further run of its tasks is
-- another operation.
-- @when EXISTS (SELECT 1 FROM temp.task_seen WHERE node_type = 9) OR EXISTS (SELECT 1 FROM hccl_op_info) OR EXISTS (SELECT 1 FROM hccl_info)
CREATE VIRTUAL TABLE temp.comm_call USING intervals(
  SELECT thread_id, start_ns, start_ns + dur_ns, connection_id FROM api
  WHERE level = 5500 AND EXISTS (SELECT 1 FROM hccl_info) ORDER BY connection_id);
CREATE TEMP TABLE said(connection_id INTEGER PRIMARY KEY, row INTEGER);
INSERT OR IGNORE INTO temp.said
SELECT n.value, i.rowid FROM hccl_op_info i CROSS JOIN temp.node n ON n.key = i.thread_id AND n.at = i.time_ns ORDER BY i.rowid;
CREATE TEMP TABLE comm AS
SELECT t.id, t.device_id, t.stream_id, t.task_id, t.batch_id, t.context_id, t.connection_id, t.start_ns, t.start_ns + t.dur_ns AS end_ns,
  t.op_name, t.op_type, coalesce(c.value, t.connection_id) AS call_id,
  CASE WHEN t.node_type = 9 OR s.row IS NOT NULL THEN t.connection_id END AS op_id,
  row_number() OVER (PARTITION BY t.device_id, t.stream_id, t.task_id, t.batch_id, t.context_id ORDER BY t.launch_ns, t.id) AS run
FROM task t LEFT JOIN temp.comm_call c ON c.key = t.thread_id AND c.at = t.launch_ns LEFT JOIN temp.said s ON s.connection_id = t.connection_id
WHERE t.start_ns IS NOT NULL AND t.connection_id IS NOT NULL ORDER BY t.launch_ns, t.id;
INSERT INTO comm_op(device_id, connection_id, run, op_name, op_type, start_ns, end_ns, group_name, relay, retry, data_type, alg_type, count)
SELECT c.device_id, c.op_id, c.run, c.op_name, c.op_type, c.start_ns, c.end_ns, i.group_name, i.relay, i.retry, i.data_type, i.alg_type, i.count
FROM (SELECT device_id, op_id, run, op_name, op_type, min(start_ns) AS start_ns, max(end_ns) AS end_ns, min(id) AS first
  FROM temp.comm WHERE op_id IS NOT NULL GROUP BY device_id, op_id, run) c
LEFT JOIN temp.said s ON s.connection_id = c.op_id LEFT JOIN hccl_op_info i ON i.rowid = s.row ORDER BY c.first;

-- A step: of the same call of the level of communication, else of the node, in order; of a sub-task by its context.
CREATE TEMP TABLE described AS
SELECT h.rowid AS row, coalesce(c.value, n.value) AS call_id, h.context_id,
  row_number() OVER (PARTITION BY coalesce(c.value, n.value), h.context_id ORDER BY h.rowid) AS n
FROM hccl_info h LEFT JOIN temp.comm_call c ON c.key = h.thread_id AND c.at = h.time_ns
LEFT JOIN temp.node n ON n.key = h.thread_id AND n.at = h.time_ns WHERE coalesce(c.value, n.value) IS NOT NULL;
CREATE UNIQUE INDEX temp.described_by_call ON described(call_id, context_id, n);
CREATE TEMP TABLE op AS SELECT device_id, connection_id, run, id FROM comm_op;
CREATE UNIQUE INDEX temp.op_by_run ON op(device_id, connection_id, run);
CREATE TEMP TABLE step AS
SELECT c.id, c.device_id, c.stream_id, c.task_id, c.batch_id, c.context_id, o.id AS op_id, d.row
FROM (SELECT *, row_number() OVER (PARTITION BY run = 1, call_id, context_id ORDER BY rowid) AS n FROM temp.comm) c
LEFT JOIN temp.op o ON o.device_id = c.device_id AND o.connection_id = c.op_id AND o.run = c.run
LEFT JOIN temp.described d ON d.call_id = c.call_id AND d.context_id = c.context_id AND d.n = c.n AND c.run = 1;
-- a further run has the steps of the first
INSERT INTO comm_task
SELECT id, op_id, row
FROM (SELECT id, op_id, max(row) OVER (PARTITION BY device_id, stream_id, task_id, batch_id, context_id) AS row FROM temp.step)
WHERE op_id IS NOT NULL OR row IS NOT NULL ORDER BY id;
-- what an operation does not say of itself its first step does
UPDATE comm_op SET group_name = coalesce(comm_op.group_name, s.group_name), rank_size = s.rank_size
FROM (SELECT t.op_id, h.group_name, h.rank_size, row_number() OVER (PARTITION BY t.op_id ORDER BY t.id) AS n
  FROM comm_task t CROSS JOIN hccl_info h ON h.rowid = t.info_row WHERE t.op_id IS NOT NULL) s
WHERE comm_op.id = s.op_id AND s.n = 1;
DROP TABLE temp.comm_call;
DROP TABLE temp.said;
DROP TABLE temp.comm;
DROP TABLE temp.described;
DROP TABLE temp.op;
DROP TABLE temp.step;
-- @end
DROP TABLE temp.node;

-- Of devices that communicate: 0 computing, 1 communication, 2 communication while nothing computes, 3 neither.
-- @when EXISTS (SELECT 1 FROM comm_op)
CREATE TEMP TABLE busy AS
SELECT device_id, 1 AS kind, start_ns, end_ns FROM comm_op
UNION ALL
SELECT device_id, 0, start_ns, start_ns + dur_ns FROM task
WHERE device_id IN (SELECT device_id FROM comm_op) AND start_ns IS NOT NULL AND device_type IN (SELECT kind FROM computing_kind)
  AND id NOT IN (SELECT id FROM comm_task);
DELETE FROM overlap WHERE device_id IN (SELECT device_id FROM comm_op);
INSERT INTO overlap(device_id, kind, start_ns, end_ns)
SELECT device_id, kind, min(start_ns), max(end_ns) FROM (
  SELECT device_id, kind, start_ns, end_ns, count(*) FILTER (WHERE begins) OVER (PARTITION BY device_id, kind ORDER BY number) AS island FROM (
    SELECT *, coalesce(start_ns > max(end_ns) OVER (PARTITION BY device_id, kind ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 1) AS begins
    FROM (SELECT *, row_number() OVER (PARTITION BY device_id, kind ORDER BY start_ns, end_ns) AS number FROM temp.busy)))
GROUP BY device_id, kind, island;
INSERT INTO overlap(device_id, kind, start_ns, end_ns)
SELECT device_id, CASE WHEN communicates THEN 2 ELSE 3 END, at, until FROM (
  SELECT device_id, at, lead(at) OVER w AS until, total(computes) OVER w AS computes, total(communicates) OVER w AS communicates FROM (
    SELECT device_id, at, total(change * (kind = 0)) AS computes, total(change * (kind = 1)) AS communicates FROM (
      SELECT device_id, kind, start_ns AS at, 1 AS change FROM overlap WHERE free_ns IS NULL
      UNION ALL SELECT device_id, kind, end_ns, -1 FROM overlap WHERE free_ns IS NULL)
    GROUP BY device_id, at)
  WINDOW w AS (PARTITION BY device_id ORDER BY at))
WHERE computes = 0 AND until IS NOT NULL;
DROP TABLE temp.busy;
-- @end
