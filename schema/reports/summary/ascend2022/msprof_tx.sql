-- @file msprof_tx_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'msproftx' AND s.records > 0)
-- @rows
SELECT process_id AS "pid", thread_id AS " tid", category AS " category",
  coalesce(pick(event_type, 'marker', 'push/pop', 'start/end'), '') AS " event_type", payload_type AS " payload_type",
  payload_value AS " payload_value", start_ns AS " Start_time(ns)", start_ns + dur_ns AS " End_time(ns)", message_type AS " message_type",
  coalesce(message, '') AS " message"
FROM msproftx ORDER BY rowid
