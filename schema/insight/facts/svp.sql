-- The tasks of each inference: those of the core, and those of the AI CPU, whose class is 3.
-- @family svp
-- @style any
-- @each
SELECT step AS track, min(grp) AS _grp,
  min(first_row) FILTER (WHERE target = 'aicore_task') AS _core_first, max(last_row) FILTER (WHERE target = 'aicore_task') AS _core_last,
  min(first_row) FILTER (WHERE target = 'aicpu_task') AS _cpu_first, max(last_row) FILTER (WHERE target = 'aicpu_task') AS _cpu_last
FROM temp.step_file GROUP BY step ORDER BY step
-- @rows
SELECT rowid AS row, :_grp AS k1, task_id AS k2, stream_id AS k3, 0 AS k4, NULL AS class, start_ns, dur_ns, NULL AS launch_ns,
  coalesce(cycles, (end_tick - start_tick) * 100) AS cycles, mac_busy, mac_ppen, vec_busy, vec_ppen, dstr, dtrans, dld, wld, ddr_read_bytes,
  ddr_write_bytes, icache_miss, icache_access
FROM aicore_task WHERE rowid BETWEEN :_core_first AND :_core_last
-- @layer
SELECT rowid AS row, :_grp AS k1, task_id AS k2, stream_id AS k3, 1 AS k4, 3 AS class, start_ns, dur_ns, NULL AS launch_ns,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM aicpu_task WHERE rowid BETWEEN :_cpu_first AND :_cpu_last
