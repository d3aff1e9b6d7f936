-- The tasks of each device; what the AI CPU ran (k4 is 1), and collective operations (k4 is 2). A task without a description is known by its stream
-- and number.
-- @each
SELECT g.track, g.id AS grp, g.id AS _grp, g.track AS _device FROM temp.sample_group g ORDER BY g.id
-- @rows
SELECT :_grp AS k1, coalesce(n.name_id, t.task_id) AS k2, CASE WHEN n.name_id IS NULL THEN t.stream_id END AS k3, 0 AS k4, t.start_ns, t.dur_ns
FROM hwts_task t LEFT JOIN temp.sample_name n ON n.op_id = t.hwts_op_id WHERE t.device_id = :_device
-- @layer
SELECT :_grp, aicpu, NULL, 1, start_ns, dur_ns FROM temp.aicpu_run WHERE device_id = :_device
-- @layer
SELECT :_grp, point, NULL, 2, start_ns, end_ns - start_ns FROM temp.collective WHERE grp = :_device
