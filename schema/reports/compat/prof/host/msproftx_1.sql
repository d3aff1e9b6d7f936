-- @file msproftx
-- @title MsprofTx
-- @use prof_host_clock
-- @each
SELECT _hz, _count, _ns FROM clock WHERE EXISTS (SELECT 1 FROM msproftx WHERE info_type IS NOT 1)
-- @rows
SELECT process_id AS pid, tid, category, pick(event_type, 'marker', 'push/pop', 'start/end', 'marker_ex') AS event_type, payload_type, payload_value,
  :_count + begun / 1000000000 * :_hz + decimal(begun % 1000000000 * :_hz, 1000000000, 0) AS start_time,
  :_count + ended / 1000000000 * :_hz + decimal(ended % 1000000000 * :_hz, 1000000000, 0) AS end_time, message_type, coalesce(message, '') AS message
FROM (SELECT *, rowid AS row, start_ns - :_ns AS begun, start_ns + dur_ns - :_ns AS ended FROM msproftx WHERE info_type IS NOT 1) ORDER BY row
