-- Tasks of each device, by stream.
-- @process Device {device}
-- @thread Stream {track}
-- @each
SELECT track AS device, 0 AS clock, track AS _device FROM temp.device_track ORDER BY track
-- @rows
SELECT id AS row, stream_id AS track, op_name AS k1, kernel_name AS k2, device_type AS k3, start_ns, dur_ns FROM task
WHERE device_id = :_device AND start_ns IS NOT NULL AND has_parts IS NULL
