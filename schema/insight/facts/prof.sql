-- The operators of each device; collective operations, of class 4; and tasks that copy, of class 2.
-- @each
SELECT track, track AS _device, (SELECT max(mhz) FROM setting s WHERE s.device_id = track) AS _mhz FROM temp.device_track
-- @rows
SELECT id AS row, device_id AS k1, op_name AS k2, op_type AS k3, block_num AS k4,
  CASE node_type WHEN 1 THEN 3 ELSE coalesce(word('type_class', 'class', op_type), 1) END AS class, start_ns, dur_ns, launch_ns,
  max(0, :_mhz - frequency_mhz) * (dur_ns / 1000) AS slow_mhz_us, aic_cycles, aic_pmu0, aic_pmu1, aic_pmu2, aic_pmu3, aic_pmu4, aic_pmu5, aic_pmu6, aic_pmu7,
  aic_pmu8, aic_pmu9, aiv_cycles, aiv_pmu0, aiv_pmu1, aiv_pmu2, aiv_pmu3, aiv_pmu4, aiv_pmu5, aiv_pmu6, aiv_pmu7, aiv_pmu8, aiv_pmu9
FROM task WHERE device_id = :_device AND is_op = 1
-- @layer
SELECT id, device_id, op_type, NULL, NULL, 4, start_ns, end_ns - start_ns, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM comm_op WHERE device_id = :_device AND start_ns IS NOT NULL
-- @layer
SELECT t.id, t.device_id, t.kernel_name, NULL, NULL, 2, t.start_ns, t.dur_ns, t.launch_ns, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM task_copy c CROSS JOIN task t ON t.id = c.id
WHERE t.device_id = :_device AND t.is_op = 0 AND NOT EXISTS (SELECT 1 FROM comm_task m WHERE m.id = t.id)
