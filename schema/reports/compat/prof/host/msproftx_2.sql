-- @file msproftx
-- @title MsprofTxEx
-- @use prof_host_clock
-- @each
SELECT _hz, _count, _ns FROM clock WHERE EXISTS (SELECT 1 FROM stream_mark)
-- @rows
SELECT process_id AS pid, tid, pick(event_type, 'marker', 'push/pop', 'start/end', 'marker_ex') AS event_type,
  :_count + begun / 1000000000 * :_hz + decimal(begun % 1000000000 * :_hz, 1000000000, 0) AS start_time,
  :_count + ended / 1000000000 * :_hz + decimal(ended % 1000000000 * :_hz, 1000000000, 0) AS end_time, mark_id, domain, coalesce(message, '') AS message
FROM (SELECT *, start_ns - :_ns AS begun, start_ns + dur_ns - :_ns AS ended FROM stream_mark) ORDER BY mark_id
