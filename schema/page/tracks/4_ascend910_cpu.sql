-- What each processor of the AI CPU ran.
-- @process Device {device}
-- @thread AI CPU {track}
-- @each
SELECT DISTINCT device_id AS device, 0 AS clock, device_id AS _device FROM temp.aicpu_run ORDER BY device_id
-- @rows
SELECT row, aicpu AS track, 'AI CPU ' || aicpu AS k1, NULL AS k2, NULL AS k3, start_ns, dur_ns FROM temp.aicpu_run WHERE device_id = :_device ORDER BY start_ns
