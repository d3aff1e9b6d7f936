-- @json_file msprof_tx_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _text_wall AS _wall FROM stamp WHERE EXISTS (SELECT 1 FROM msproftx)
-- @rows
WITH mark AS (
  SELECT process_id, tid, category, event_type, payload_type, payload_value, start_ns, dur_ns, message_type, message, NULL AS domain, NULL AS mark_id, rowid AS row
  FROM msproftx WHERE info_type IS NOT 1
  UNION ALL
  SELECT process_id, tid, NULL, event_type, NULL, NULL, start_ns, dur_ns, NULL, message, domain, mark_id, mark_id FROM stream_mark
)
SELECT coalesce(d.device_id, 'host') AS "Device_id", process_id AS "pid", tid AS "tid", category AS "category",
  CASE event_type WHEN 0 THEN 'marker' WHEN 1 THEN 'push/pop' WHEN 2 THEN 'start/end' WHEN 3 THEN 'marker_ex' ELSE event_type END AS "event_type",
  payload_type AS "payload_type", payload_value AS "payload_value", us(m.start_ns + :_wall) || char(9) AS "Start_time(us)",
  us(m.start_ns + m.dur_ns + :_wall) || char(9) AS "End_time(us)", message_type AS "message_type", coalesce(message, '') AS "message", domain AS "domain",
  us(d.start_ns + :_wall) || char(9) AS "Device Start_time(us)", us(d.start_ns + d.dur_ns + :_wall) || char(9) AS "Device End_time(us)"
FROM mark m LEFT JOIN device_mark d ON d.mark_id = m.mark_id ORDER BY m.start_ns, row, d.device_id
