-- Runs on the rows of a database of an earlier version, which had neither turns of operators nor the last ones.
-- @when NOT EXISTS (SELECT 1 FROM op_turn)
INSERT OR IGNORE INTO op_turn
SELECT device_id, stream_id, task_id, total(falls) OVER (PARTITION BY device_id, stream_id ORDER BY row), id FROM (
  SELECT *, task_id <= lag(task_id) OVER (PARTITION BY device_id, stream_id ORDER BY row) AS falls
  FROM (SELECT device_id, stream_id, task_id, id, row_number() OVER (ORDER BY time_ns, id) AS row FROM op)
) ORDER BY row;
-- @end
-- @when EXISTS (SELECT 1 FROM op WHERE iteration <> 0)
INSERT OR IGNORE INTO op_last SELECT device_id, stream_id, task_id, batch_id, task_type, id FROM op ORDER BY id DESC;
-- @end
