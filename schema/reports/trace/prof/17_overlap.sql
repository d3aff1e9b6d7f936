-- @process Overlap Analysis, NPU {process}
-- @thread Computing
-- @started rowid
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns FROM stamp WHERE _want_overlap
-- @rows
SELECT 31 AS layer, device_id AS process, kind AS track,
  CASE kind WHEN 0 THEN 'Computing' WHEN 1 THEN 'Communication' WHEN 2 THEN 'Communication(Not Overlapped)' ELSE 'Free' END AS name,
  start_ns + :_wall AS start_ns, end_ns - start_ns AS dur_ns,
  CASE kind WHEN 0 THEN 'Computing' WHEN 1 THEN 'Communication' WHEN 2 THEN 'Communication(Not Overlapped)' ELSE 'Free' END AS _thread
FROM overlap WHERE end_ns > :_from_ns AND start_ns <= :_to_ns{range device start_ns; end_ns}{device device_id}
