-- The tasks of each inference: those of the core, and those of the AI CPU.
-- @each
SELECT step AS track, min(grp) AS grp, min(grp) AS _grp,
  min(first_row) FILTER (WHERE target = 'aicore_task') AS _core_first, max(last_row) FILTER (WHERE target = 'aicore_task') AS _core_last,
  min(first_row) FILTER (WHERE target = 'aicpu_task') AS _cpu_first, max(last_row) FILTER (WHERE target = 'aicpu_task') AS _cpu_last
FROM temp.step_file GROUP BY step ORDER BY step
-- @rows
SELECT :_grp AS k1, task_id AS k2, seg_id AS k3, 0 AS k4, start_ns, dur_ns FROM aicore_task WHERE rowid BETWEEN :_core_first AND :_core_last
-- @layer
SELECT :_grp AS k1, task_id AS k2, -1 AS k3, 1 AS k4, start_ns, dur_ns FROM aicpu_task WHERE rowid BETWEEN :_cpu_first AND :_cpu_last
