-- Runs after communication.sql: which operators are rows of op_summary, and how long devices waited for these.
-- @when EXISTS (SELECT 1 FROM temp.task_seen WHERE node_type IN (3, 11))
INSERT OR IGNORE INTO temp.changed SELECT id FROM task WHERE is_op AND node_type IN (3, 11);
UPDATE task SET is_op = 2 WHERE is_op AND node_type IN (3, 11);
-- @end

-- Copies, and tasks of calls that record an event or wait for one, are connected with their calls; calls of nodes and operators are anyway.
INSERT OR IGNORE INTO arrow_call
SELECT t.connection_id FROM task_copy c CROSS JOIN task t ON t.id = c.id WHERE t.start_ns IS NOT NULL AND t.connection_id IN (SELECT connection_id FROM api WHERE level <> 10000);
-- @when EXISTS (SELECT 1 FROM call_kind WHERE name IN ('aclrtRecordEvent', 'aclrtStreamWaitEvent'))
INSERT OR IGNORE INTO arrow_call
SELECT connection_id FROM api WHERE (level << 32 | type) IN (SELECT id FROM call_kind WHERE name IN ('aclrtRecordEvent', 'aclrtStreamWaitEvent') AND id >> 32 = 20000);
-- @end
-- @when EXISTS (SELECT 1 FROM arrow_call)
INSERT INTO arrow SELECT id FROM task WHERE is_op IS NULL AND has_parts IS NULL AND start_ns IS NOT NULL AND connection_id IN (SELECT connection_id FROM arrow_call);
-- @end
INSERT OR IGNORE INTO arrow SELECT t.id FROM task_copy c CROSS JOIN task t ON t.id = c.id WHERE t.start_ns IS NOT NULL AND t.connection_id IS NOT NULL;

-- @when EXISTS (SELECT 1 FROM temp.changed)
UPDATE task SET wait_ns = w.wait_ns, before_ns = w.before_ns
FROM (SELECT id, start_ns - lag(start_ns + dur_ns) OVER (ORDER BY id) AS wait_ns, lag(start_ns) OVER (ORDER BY id) AS before_ns
  FROM task WHERE is_op = 1 AND start_ns IS NOT NULL) w
WHERE task.id = w.id;
UPDATE task SET wait_ns = NULL, before_ns = NULL WHERE is_op IS NOT 1 AND wait_ns IS NOT NULL;
-- @end
-- The first operator of an older chip waits for none, not for those of other devices.
-- @when (SELECT count(*) FROM setting) > 1 AND EXISTS (SELECT 1 FROM setting JOIN chip USING (chip) WHERE old)
UPDATE task SET wait_ns = NULL, before_ns = NULL WHERE id IN (SELECT min(id) FROM task WHERE is_op = 1 AND start_ns IS NOT NULL GROUP BY device_id);
-- @end
DROP TABLE temp.changed;

-- Tasks that began together stand in task_time as the sorts of the reference leave them. Of more tasks than this the order of their records is kept.
-- @when (SELECT max(id) FROM task) <= 100000 AND EXISTS (SELECT 1 FROM task a, task b WHERE b.id = a.id + 1 AND b.start_ns = a.start_ns)
CREATE VIRTUAL TABLE temp.placed_task USING task_order(
  SELECT device_id, id, start_ns, stream_id, task_id, batch_id, start_ns IS NOT NULL, start_ns IS NOT NULL AND (context_id = 0 OR context_id = 4294967295 AND has_parts IS NULL),
    EXISTS (SELECT 1 FROM comm_task)
  FROM task WHERE NOT EXISTS (SELECT 1 FROM setting JOIN chip USING (chip) WHERE old) ORDER BY device_id DESC, task_id, stream_id, context_id, batch_id, id);
INSERT INTO tied_task
SELECT id, place FROM (SELECT t.id, p.rowid AS place, count(*) OVER (PARTITION BY t.start_ns) AS together FROM temp.placed_task p CROSS JOIN task t ON t.id = p.id) WHERE together > 1;
DROP TABLE temp.placed_task;
-- @end

-- Types of operators that took equally long stand in op_statistic as the sort of the reference leaves them, which keeps the order of few rows alone.
-- @when (SELECT max(id) FROM task) <= 100000 AND NOT EXISTS (SELECT 1 FROM setting JOIN chip USING (chip) WHERE old)
CREATE TEMP TABLE op_total AS
SELECT device_id, op_type, node_type, total_int(dur_ns) AS total,
  coalesce((SELECT name FROM name n WHERE n.hash = op_type), printf('%u', op_type)) AS type, coalesce((SELECT name FROM node_kind k WHERE k.kind = node_type), CAST(node_type AS TEXT)) AS core
FROM task WHERE is_op = 1 AND op_type IS NOT NULL AND start_ns IS NOT NULL AND node_type IS NOT 9 AND node_type IS NOT 256 GROUP BY device_id, op_type, node_type;
CREATE VIRTUAL TABLE temp.placed_op USING unstable_order(
  SELECT rowid, -total FROM temp.op_total WHERE node_type IS NOT 3 AND node_type IS NOT 11 ORDER BY device_id DESC, type, core);
INSERT INTO op_place SELECT device_id, op_type, node_type, p.rowid FROM temp.placed_op p CROSS JOIN temp.op_total o ON o.rowid = p.id;
DROP TABLE temp.placed_op;
DROP TABLE temp.op_total;
-- @end
