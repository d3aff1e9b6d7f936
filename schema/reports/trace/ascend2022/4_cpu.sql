-- @process AI CPU, NPU {process}
-- @thread Stream {track}
-- @use ascend2022_chosen
-- @each
SELECT * FROM chosen
-- @rows
SELECT 9 AS layer, t.device_id AS process, t.stream_id AS track, o.name AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns, 'AI_CPU' AS "args.Task Type",
  t.task_id AS "args.Task Id", o.type AS "args.Op Type", a.compute_start_us AS "args.Compute Start(us)", a.memcpy_start_us AS "args.Memcpy Start(us)",
  a.memcpy_end_us AS "args.Memcpy End(us)", a.dispatch_us AS "args.Dispatch Time(us)", a.total_us AS "args.Total Time(us)"
FROM task t JOIN aicpu_node a ON a.rowid = t.node_row LEFT JOIN op o ON o.id = t.op_id
WHERE t.unit = 1 AND t.start_ns IS NOT NULL AND t.start_ns + t.dur_ns > :_from_ns AND t.start_ns + t.dur_ns <= :_to_ns
  {range device t.start_ns; t.start_ns + t.dur_ns}{device t.device_id}
