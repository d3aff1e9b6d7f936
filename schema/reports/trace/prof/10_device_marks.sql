-- Marks that a stream carries, when devices came to them. Their keys are negative: those of calls are not.
-- @process Ascend Hardware, NPU {process}
-- @thread Stream {_stream}, marks
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _begin_ns FROM stamp WHERE _want_msproftx AND _want_ascend
-- @rows
SELECT 14 AS layer, d.device_id AS process, 4294967296 + d.stream_id AS track, m.message AS name, d.start_ns + :_wall AS start_ns, d.dur_ns AS dur_ns,
  -1 - m.mark_id AS launch, d.stream_id AS "args.Physic Stream Id", d.task_id AS "args.Task Id", d.stream_id AS _stream
FROM device_mark d LEFT JOIN stream_mark m USING (mark_id) WHERE d.start_ns > :_from_ns AND d.start_ns <= :_to_ns AND d.start_ns >= :_begin_ns{range device d.start_ns; d.start_ns + d.dur_ns}
  {device d.device_id}
