-- The operators of each device; collective operations (k4 is 1); and tasks that copy (k4 is 2).
-- @each
SELECT g.track, g.id AS grp, g.id AS _grp, g.track AS _device FROM temp.sample_group g ORDER BY g.id
-- @rows
SELECT :_grp AS k1, op_name AS k2, tensor_id AS k3, 0 AS k4, start_ns, dur_ns FROM task WHERE device_id = :_device AND is_op = 1
-- @layer
SELECT :_grp, op_type, NULL, 1, start_ns, end_ns - start_ns FROM comm_op WHERE device_id = :_device AND start_ns IS NOT NULL
-- @layer
SELECT :_grp, t.kernel_name, NULL, 2, t.start_ns, t.dur_ns FROM task_copy c CROSS JOIN task t ON t.id = c.id
WHERE t.device_id = :_device AND t.is_op = 0 AND NOT EXISTS (SELECT 1 FROM comm_task m WHERE m.id = t.id)
