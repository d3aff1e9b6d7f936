-- Runs after relate.sql: collective operations, their steps, and where devices compute, communicate, or are free.

-- An operation is what ran in a call of a node that is one (HCCL, or with an hccl_op_info in it); a further run of its tasks is
-- another operation.
SELECT count(put('hccl_op', rowid, within('node', thread_id, time_ns))) FROM hccl_op_info WHERE within('node', thread_id, time_ns) IS NOT NULL;
SELECT count(span('comm', connection_id, thread_id, start_ns, start_ns + dur_ns))
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM hccl_info)) CROSS JOIN api WHERE level = 5500;
CREATE TEMP TABLE comm AS
SELECT id, device_id, stream_id, task_id, batch_id, context_id, connection_id, start_ns, start_ns + dur_ns AS end_ns, op_name, op_type,
  coalesce(within('comm', thread_id, launch_ns), connection_id) AS call_id,
  CASE WHEN node_type = 9 OR peek('hccl_op', connection_id) IS NOT NULL THEN connection_id END AS op_id,
  running('run', 1, device_id, stream_id, task_id, batch_id, context_id) AS run
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.task_seen WHERE node_type = 9) OR EXISTS (SELECT 1 FROM hccl_op_info) OR EXISTS (SELECT 1 FROM hccl_info))
CROSS JOIN (SELECT * FROM task WHERE start_ns IS NOT NULL AND connection_id IS NOT NULL ORDER BY launch_ns, id LIMIT -1);
INSERT INTO comm_op(device_id, connection_id, run, op_name, op_type, start_ns, end_ns, group_name, relay, retry, data_type, alg_type, count)
SELECT c.device_id, c.op_id, c.run, c.op_name, c.op_type, c.start_ns, c.end_ns, i.group_name, i.relay, i.retry, i.data_type, i.alg_type, i.count
FROM (SELECT device_id, op_id, run, op_name, op_type, min(start_ns) AS start_ns, max(end_ns) AS end_ns, min(id) AS first
  FROM temp.comm WHERE op_id IS NOT NULL GROUP BY device_id, op_id, run ORDER BY first LIMIT -1) c
LEFT JOIN hccl_op_info i ON i.rowid = peek('hccl_op', c.op_id);

-- A step: of the same call of the level of communication, else of the node, in order; of a sub-task by its context.
SELECT count(put('step', rowid, coalesce(within('comm', thread_id, time_ns), within('node', thread_id, time_ns)), context_id)) FROM hccl_info
WHERE coalesce(within('comm', thread_id, time_ns), within('node', thread_id, time_ns)) IS NOT NULL;
SELECT count(put('op', id, device_id, connection_id, run)) FROM comm_op;
CREATE TEMP TABLE step AS
SELECT id, device_id, stream_id, task_id, batch_id, context_id, peek('op', device_id, op_id, run) AS op_id, run,
  CASE run WHEN 1 THEN take('step', call_id, context_id) END AS row
FROM temp.comm;
SELECT count(put('first', row, device_id, stream_id, task_id, batch_id, context_id)) FROM temp.step WHERE row IS NOT NULL;
INSERT INTO comm_task
SELECT id, op_id, row FROM (
  SELECT id, op_id, coalesce(row, CASE WHEN run > 1 THEN peek('first', device_id, stream_id, task_id, batch_id, context_id) END) AS row
  FROM temp.step ORDER BY id LIMIT -1)
WHERE op_id IS NOT NULL OR row IS NOT NULL;
UPDATE comm_op SET group_name = coalesce(comm_op.group_name, s.group_name), rank_size = s.rank_size
FROM (SELECT t.op_id, h.group_name, h.rank_size FROM comm_task t CROSS JOIN hccl_info h WHERE h.rowid = t.info_row ORDER BY t.id DESC LIMIT -1) s
WHERE comm_op.id = s.op_id;
SELECT drop_map(value) FROM json_each('["node","helper","hccl_op","comm","run","step","op","first"]');
DROP TABLE temp.step;
DROP TABLE temp.comm;

-- Of devices that communicate: 0 computing, 1 communication, 2 communication while nothing computes, 3 neither.
CREATE TEMP TABLE busy AS
SELECT device_id, 1 AS kind, start_ns, end_ns FROM comm_op
UNION ALL
SELECT device_id, 0, start_ns, start_ns + dur_ns FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM comm_op)) CROSS JOIN task
WHERE device_id IN (SELECT device_id FROM comm_op) AND start_ns IS NOT NULL AND device_type IN (SELECT kind FROM computing_kind)
  AND id NOT IN (SELECT id FROM comm_task);
DELETE FROM overlap WHERE rowid <= (SELECT 9223372036854775807 WHERE EXISTS (SELECT 1 FROM comm_op)) AND device_id IN (SELECT device_id FROM comm_op);
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
      SELECT device_id, kind, start_ns AS at, 1 AS change FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM comm_op)) CROSS JOIN overlap WHERE free_ns IS NULL
      UNION ALL SELECT device_id, kind, end_ns, -1 FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM comm_op)) CROSS JOIN overlap WHERE free_ns IS NULL)
    GROUP BY device_id, at)
  WINDOW w AS (PARTITION BY device_id ORDER BY at))
WHERE computes = 0 AND until IS NOT NULL;
DROP TABLE temp.busy;
