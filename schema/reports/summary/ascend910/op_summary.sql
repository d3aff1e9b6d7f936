-- @file op_summary_{device_id}_{iter}
-- @newline crlf
-- @each
SELECT DISTINCT device_id, 1 AS iter FROM hwts_op o WHERE NOT EXISTS (SELECT 1 FROM hwts_task t WHERE t.device_id = o.device_id)
-- @rows
-- of a capture without a log of the scheduler: the operators that the framework describes, which have no times
WITH graph AS (
  SELECT g.op_name, g.tensors, min(g.rowid)
  FROM source s CROSS JOIN graph_desc g
  WHERE s.target = 'graph_desc' AND s.device_id = :device_id AND g.rowid BETWEEN s.first_row AND s.last_row GROUP BY g.op_name
)
SELECT o.task_id AS "Task ID", o.stream_id AS "Stream ID", o.name AS "Op Name", o.type AS "OP Type", o.block_dim AS "Block Dim",
  g.tensors AS "Tensors"
FROM hwts_op o LEFT JOIN graph g ON g.op_name = o.name
WHERE o.device_id = :device_id ORDER BY o.id
