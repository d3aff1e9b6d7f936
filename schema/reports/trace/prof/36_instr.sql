-- @process Biu Perf, NPU {process}
-- @thread {_thread}
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns FROM stamp WHERE NOT has_bit(_off, 32)
-- @rows
SELECT 32 AS layer, device_id AS process, dense_rank() OVER (PARTITION BY device_id ORDER BY core) - 1 AS track, name AS name, start_ns + :_wall AS start_ns, dur_ns AS dur_ns,
  substr(core, instr(core, '_') + 1) AS "args.Core Type", block_id AS "args.Block Id", mark AS "args.Checkpoint Info", 'Group' || replace(core, '_', '-') AS _thread
FROM instr_part WHERE start_ns > :_from_ns AND start_ns <= :_to_ns{range device start_ns; start_ns + dur_ns}{device device_id}
