-- @process CCU, NPU {process}
-- @thread Communication
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _begin_ns FROM stamp WHERE NOT has_bit(_off, 30)
-- @rows
SELECT 30 AS layer, device_id AS process, 0 AS track, CASE WHEN waits THEN 'Wait' ELSE 'LoopGroup' END AS name, start_ns + :_wall AS start_ns, end_ns - start_ns AS dur_ns,
  stream_id AS "args.Physic Stream Id", task_id AS "args.Task Id",
  CASE WHEN waits THEN instr_id END AS "args.Notify Instruction ID", CASE WHEN waits THEN rank_id END AS "args.Notify Rank ID", CASE WHEN NOT waits THEN instr_id END AS "args.Instruction ID",
  die_id AS "args.Die Id", data_size AS "args.Data Size", CASE WHEN end_ns > start_ns THEN data_size * 1e9 / 1048576 / (end_ns - start_ns) END AS "args.Bandwidth (MB/s)",
  reduce_type AS "args.Reduce Op Type", input_type AS "args.Input Data Type", output_type AS "args.Output Data Type", mask AS "args.Mask"
FROM ccu_step WHERE start_ns >= :_begin_ns AND start_ns > :_from_ns AND start_ns <= :_to_ns{range device start_ns; end_ns}{device device_id}
