-- @process OS Runtime API, CPU
-- @thread Thread {track}
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _begin_ns FROM stamp WHERE NOT has_bit(_off, 13)
-- @rows
SELECT 13 AS layer, 31 AS process, tid AS track, name AS name, start_ns + :_wall AS start_ns, CAST(round(dur_ns) AS INTEGER) AS dur_ns
FROM os_call WHERE start_ns >= :_begin_ns AND start_ns > :_from_ns AND start_ns <= :_to_ns{range host start_ns; start_ns + dur_ns}
