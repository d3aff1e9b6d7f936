-- @process CANN, CPU
-- @thread Thread {track}
-- @started connection_id
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns FROM stamp WHERE _want_cann
-- @use prof_api
-- @rows
SELECT 7 AS layer, 31 AS process, thread_id AS track, title AS name, start_ns + :_wall AS start_ns, dur_ns AS dur_ns, connection_id AS caller,
  mode AS "args.Mode", level AS "args.level", id AS "args.id", item AS "args.item_id", connection_id AS "args.connection_id"
FROM call WHERE start_ns > :_from_ns AND start_ns <= :_to_ns{range host start_ns; start_ns + dur_ns}
