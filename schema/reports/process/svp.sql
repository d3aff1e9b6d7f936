-- @each
SELECT 1
-- Times are moved back to the recorder's clock, which PROF directories of the same process have.
-- @rows
SELECT CASE type WHEN 5 THEN 1 ELSE 2 END AS kind, tid AS thread_id,
  start_ns - coalesce((SELECT host_realtime_ns - host_monotonic_ns FROM device WHERE collector = 'host' ORDER BY device_id LIMIT 1), 0) AS start_ns, dur_ns AS dur_ns, name AS name,
  CASE type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 5 THEN CASE dur_ns WHEN 0 THEN 'marker' ELSE 'range' END ELSE 'others' END AS mode,
  CASE type WHEN 5 THEN coalesce(detail, '') ELSE '' END AS domain
FROM api_call
