-- The tasks of each device, and collective operations (k4 is 1). A task without a description is known by its stream and number.
-- @each
SELECT g.track, g.id AS grp, g.id AS _grp, g.track AS _device FROM temp.sample_group g ORDER BY g.id
-- @rows
SELECT :_grp AS k1, coalesce(n.name_id, t.task_id) AS k2, CASE WHEN n.name_id IS NULL THEN t.stream_id END AS k3, 0 AS k4, t.start_ns, t.dur_ns
FROM task t LEFT JOIN temp.sample_name n ON n.op_id = t.op_id WHERE t.device_id = :_device AND t.unit IS NOT 1
-- @layer
SELECT :_grp, a.number, NULL, 1, s.host_ns + CAST(round((a.start_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER),
  CAST(round((a.end_counter - a.start_counter) * 1000.0 / s.counter_mhz) AS INTEGER)
FROM all_reduce a JOIN setting s ON s.device_id = a.device_id WHERE a.device_id = :_device AND a.end_counter IS NOT NULL
