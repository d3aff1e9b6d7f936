-- The tasks of each device; those of the AI CPU have the class 3, collective operations the class 4. A task without a description is known by its
-- stream and number. Launches count where each task has one: a loaded model runs many times, and is launched once.
-- @each
SELECT track, track AS _device, (SELECT count(*) FROM temp.launch) >= (SELECT count(*) FROM task WHERE unit IS NOT 1) AS _linked FROM temp.device_track
-- @rows
SELECT t.id AS row, t.device_id AS k1, CASE WHEN o.id IS NULL THEN t.stream_id ELSE text_hash(o.name) END AS k2,
  CASE WHEN o.id IS NULL THEN t.task_id ELSE text_hash(o.type) END AS k3, coalesce(o.block_dim, -2) AS k4,
  CASE WHEN o.id IS NULL THEN 5 WHEN o.task_type = 'AI_CPU' THEN 3 ELSE coalesce(word('type_class', 'class', text_hash(o.type)), 1) END AS class, t.start_ns, t.dur_ns,
  CASE WHEN :_linked THEN (SELECT max(l.start_ns) FROM temp.launch l
    WHERE l.stream_id = t.stream_id AND l.task_id = t.task_id AND l.batch_id = t.batch_id AND l.start_ns <= t.start_ns) END AS launch_ns,
  p.total_cycles AS cycles, p.pmu0, p.pmu1, p.pmu2, p.pmu3, p.pmu4, p.pmu5, p.pmu6, p.pmu7
FROM task t LEFT JOIN op o ON o.id = t.op_id LEFT JOIN aicore_pmu p ON p.rowid = t.pmu_row
WHERE t.device_id = :_device AND t.unit IS NOT 1
-- @layer
SELECT a.rowid, a.device_id, a.number, NULL, NULL, 4, s.host_ns + CAST(round((a.start_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER),
  CAST(round((a.end_counter - a.start_counter) * 1000.0 / s.counter_mhz) AS INTEGER), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM all_reduce a JOIN setting s ON s.device_id = a.device_id WHERE a.device_id = :_device AND a.end_counter IS NOT NULL
