-- The tasks of each device; what the AI CPU ran, of class 3, and collective operations between their points, of class 4. A task without a description
-- is known by its stream and number.
-- @each
SELECT track, track AS _device FROM temp.device_track
-- @rows
SELECT t.rowid AS row, t.device_id AS k1, t.hwts_op_id AS k2, CASE WHEN t.hwts_op_id IS NULL THEN t.stream_id END AS k3,
  CASE WHEN t.hwts_op_id IS NULL THEN t.task_id END AS k4,
  CASE WHEN t.hwts_op_id IS NULL THEN 5 ELSE coalesce(word('op_type', 'class', t.hwts_op_id), 1) END AS class, t.start_ns, t.dur_ns, NULL AS launch_ns
FROM hwts_task t WHERE t.device_id = :_device
-- @layer
SELECT row, :_device, aicpu, NULL, -3, 3, start_ns, dur_ns, NULL FROM temp.aicpu_run WHERE device_id = :_device
-- @layer
SELECT rowid, :_device, point, NULL, -4, 4, start_ns, end_ns - start_ns, NULL FROM temp.collective WHERE grp = :_device
