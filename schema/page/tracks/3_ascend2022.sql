-- Tasks of each device, by stream. A task without a description is known by its number.
-- @process Device {device}
-- @thread Stream {track}
-- @each
SELECT DISTINCT device_id AS device, 0 AS clock, device_id AS _device FROM task WHERE start_ns IS NOT NULL ORDER BY device_id
-- @rows
SELECT t.id AS row, t.stream_id AS track, CASE WHEN o.id IS NULL THEN -1 ELSE text_hash(o.name) END AS k1, CASE WHEN o.id IS NULL THEN t.task_id END AS k2,
  CASE WHEN o.id IS NULL THEN t.stream_id END AS k3, t.start_ns, t.dur_ns
FROM task t LEFT JOIN op o ON o.id = t.op_id WHERE t.device_id = :_device AND t.unit IS NOT 1
