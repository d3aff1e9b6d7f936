-- The tasks of each inference: those of the core, and those of the AI CPU, whose class is 3. The call that executed the model launched them all.
-- @each
SELECT f.step AS track, min(f.grp) AS _grp, min(f.stream_key) FILTER (WHERE target = 'aicore_task') AS _key, min(f.stream_key) FILTER (WHERE target = 'aicpu_task') AS _cpu_key,
  max(c.start_ns) AS _launch, p.tick AS _tick, s.shown AS _shown,
  min(first_row) FILTER (WHERE target = 'aicore_task') AS _core_first, max(last_row) FILTER (WHERE target = 'aicore_task') AS _core_last,
  min(first_row) FILTER (WHERE target = 'aicpu_task') AS _cpu_first, max(last_row) FILTER (WHERE target = 'aicpu_task') AS _cpu_last
FROM temp.step_file f CROSS JOIN parts p CROSS JOIN counters s LEFT JOIN temp.step_call c ON c.step = f.step GROUP BY f.step ORDER BY f.step
-- @rows
SELECT rowid AS row, :_grp AS k1, task_id AS k2, coalesce(:_key, seg_id + 1 << 32) + seg_id AS k3, 0 AS k4, NULL AS class, start_ns, dur_ns, :_launch AS launch_ns,
  ticks * :_tick * :_shown AS cycles, mac_busy * :_shown AS mac_busy, mac_ppen * :_shown AS mac_ppen, vec_busy * :_shown AS vec_busy, vec_ppen * :_shown AS vec_ppen,
  dstr * :_shown AS dstr, dtrans * :_shown AS dtrans, dld * :_shown AS dld, wld * :_shown AS wld, ddr_read_bytes * :_shown AS ddr_read_bytes,
  ddr_write_bytes * :_shown AS ddr_write_bytes
FROM aicore_task WHERE rowid BETWEEN :_core_first AND :_core_last
-- @layer
SELECT rowid AS row, :_grp AS k1, task_id AS k2, :_cpu_key AS k3, 1 AS k4, 3 AS class, start_ns, dur_ns, :_launch AS launch_ns,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM aicpu_task WHERE rowid BETWEEN :_cpu_first AND :_cpu_last
