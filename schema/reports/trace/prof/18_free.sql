-- @process Overlap Analysis, NPU {process}
-- @thread Free
-- @started rowid
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns FROM stamp WHERE _want_overlap
-- @rows
SELECT 31 AS layer, device_id AS process, 3 AS track, 'Free' AS name, start_ns - free_ns + :_wall AS start_ns, free_ns AS dur_ns
FROM overlap WHERE free_ns > 0 AND start_ns > :_from_ns AND start_ns - free_ns <= :_to_ns{range device start_ns - free_ns; start_ns}{device device_id}
