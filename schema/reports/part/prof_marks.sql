-- Marks and ranges of the application as trace events. Processes of the trace have the numbers of trace_pid(). A mark that a stream
-- carries has another form, and arrows to the devices.
WITH mark AS (
  SELECT coalesce(message, '') AS "name", :_pid_msproftx | 31 AS "pid", tid AS "tid", us(start_ns + :_wall) AS "ts", dur_ns / 1000.0 AS "dur",
    'X' AS "ph", CAST(category AS TEXT) AS "args.Category", payload_type AS "args.Payload_type", payload_value AS "args.Payload_value",
    message_type AS "args.Message_type",
    CASE event_type WHEN 0 THEN 'marker' WHEN 1 THEN 'push/pop' WHEN 2 THEN 'start/end' WHEN 3 THEN 'marker_ex' ELSE event_type END AS "args.event_type"
  FROM msproftx WHERE info_type IS NOT 1 AND start_ns > :_from_ns AND start_ns <= :_to_ns AND start_ns >= :_begin_ns{range host start_ns; start_ns + dur_ns} ORDER BY start_ns, rowid
)
