-- Tasks of each device, by stream. A task without a description is known by its number.
-- @process Device {device}
-- @thread Stream {track}
-- @each
SELECT DISTINCT device_id AS device, 0 AS clock, device_id AS _device FROM hwts_task WHERE start_ns IS NOT NULL ORDER BY device_id
-- @rows
SELECT rowid AS row, stream_id AS track, coalesce(hwts_op_id, -1) AS k1, CASE WHEN hwts_op_id IS NULL THEN task_id END AS k2,
  CASE WHEN hwts_op_id IS NULL THEN stream_id END AS k3, start_ns, dur_ns
FROM hwts_task WHERE device_id = :_device
