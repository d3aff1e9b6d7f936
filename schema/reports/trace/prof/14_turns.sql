-- @process Ascend Hardware, NPU {process}
-- @thread Stream {_stream}, turns
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns FROM stamp WHERE _want_ascend
-- @rows
SELECT 14 AS layer, device_id AS process, 8589934592 + stream_id AS track, name AS name, start_ns + :_wall AS start_ns, end_ns - start_ns AS dur_ns,
  task_id AS "args.Task Id", stream_id AS _stream
FROM turn_part WHERE start_ns > :_from_ns AND start_ns <= :_to_ns{range device start_ns; end_ns}{device device_id}
