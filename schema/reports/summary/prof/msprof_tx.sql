-- @family prof
-- @style any
-- @file msprof_tx_{time}
-- @json_file msprof_tx_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _from_ns, _to_ns FROM stamp WHERE EXISTS (SELECT 1 FROM msproftx)
-- @rows
SELECT 'host' AS "Device_id", process_id AS "pid", tid AS "tid", category AS "category",
  CASE event_type WHEN 0 THEN 'marker' WHEN 1 THEN 'push/pop' WHEN 2 THEN 'start/end' WHEN 3 THEN 'marker_ex' ELSE event_type END AS "event_type",
  payload_type AS "payload_type", payload_value AS "payload_value", us(start_ns + :_wall) || char(9) AS "Start_time(us)",
  us(start_ns + dur_ns + :_wall) || char(9) AS "End_time(us)", message_type AS "message_type", message AS "message",
  (SELECT name FROM name WHERE hash = nullif(domain, 0)) AS "domain", NULL AS "Device Start_time(us)", NULL AS "Device End_time(us)"
FROM msproftx WHERE start_ns > :_from_ns AND start_ns <= :_to_ns ORDER BY start_ns, rowid
