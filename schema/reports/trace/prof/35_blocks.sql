-- @process Block Detail, NPU {process}
-- @thread {_thread}
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _begin_ns FROM stamp WHERE NOT has_bit(_off, 34)
-- @rows
SELECT 34 AS layer, t.device_id AS process, b.edge + 1 AS track, 'Stream ' || t.stream_id || ' ' || coalesce((SELECT name FROM name n
  WHERE n.hash = t.op_name), '') AS name, b.start_ns + :_wall AS start_ns, b.dur_ns AS dur_ns,
  t.stream_id AS "args.Physic Stream Id", t.task_id AS "args.Task Id",
  t.batch_id AS "args.Batch Id", t.context_id AS "args.Subtask Id", b.core_id AS "args.Core Id", pick(b.edge, 'AIC Earliest', 'AIC Latest', 'AIV Earliest', 'AIV Latest') AS _thread
FROM block_edge b CROSS JOIN task t ON t.id = b.id WHERE b.start_ns > :_from_ns AND b.start_ns <= :_to_ns{range device b.start_ns; b.start_ns + b.dur_ns}{device t.device_id}
