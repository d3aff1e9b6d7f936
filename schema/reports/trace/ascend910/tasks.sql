-- @process NPU {process}
-- @thread Stream {track}
-- @started _row
-- @each
SELECT 1 WHERE EXISTS (SELECT 1 FROM hwts_task)
-- @rows
SELECT 1 AS layer, t.device_id AS process, t.stream_id AS track, o.name AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns,
  'AI_CORE' AS "args.Task Type", t.task_id AS "args.Task Id", o.type AS "args.Op Type", o.block_dim AS "args.Block Dim", t.rowid AS _row
FROM hwts_task t LEFT JOIN hwts_op o ON o.id = t.hwts_op_id
WHERE 1{range device t.start_ns; t.start_ns + t.dur_ns}{device t.device_id}
