-- @file stream_info
-- @title CaptureStreamInfo
-- @use prof_host_clock
-- @each
SELECT _hz, _count, _ns FROM clock WHERE EXISTS (SELECT 1 FROM capture_stream_info)
-- @rows
SELECT device_id, model_id, original_stream_id, model_stream_id AS stream_id, 0 AS batch_id, capture_status,
  :_count + (time_ns - :_ns) / 1000000000 * :_hz + decimal((time_ns - :_ns) % 1000000000 * :_hz, 1000000000, 0) AS timestamp, model_stream_id
FROM capture_stream_info ORDER BY rowid
