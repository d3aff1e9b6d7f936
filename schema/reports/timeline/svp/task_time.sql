-- Tasks of a model, which are one run of rows for each processor; the last two layers are for models with several runs (see svp_runs).
-- @file task_time_{device_id}.{model}.{model_id}.{batch}
-- @process Task Scheduler
-- @thread Stream {tid}
-- @needs tasks
-- @beside AA CPU, stream {tid}
-- @recorded _unit, _row DESC
-- @use svp_runs
-- @each
SELECT device_id, model, model_id, batch, net_id AS _net, many AS _many, core_stream AS _core_stream, cpu_stream AS _cpu_stream,
  CASE WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN 4294967296 ELSE 0 END AS _beside,
  iif(many, 0, coalesce(core_first, 0)) AS _core_first, iif(many, -1, coalesce(core_last, -1)) AS _core_last,
  iif(many, 0, coalesce(cpu_first, 0)) AS _cpu_first, iif(many, -1, coalesce(cpu_last, -1)) AS _cpu_last,
  iif(many, coalesce(core_first, 0), 0) AS _cores_first, iif(many, coalesce(core_last, -1), -1) AS _cores_last,
  iif(many, coalesce(cpu_first, 0), 0) AS _cpus_first, iif(many, coalesce(cpu_last, -1), -1) AS _cpus_last, coalesce(core_rows, 0) AS _core_rows,
  coalesce(cpu_rows, 0) AS _cpu_rows,
  iif(many, core_files, '[]') AS _core_files, iif(many, cpu_files, '[]') AS _cpu_files
FROM (SELECT process, device_id, model, model_id, batch, max(net_id) AS net_id, count(*) > count(DISTINCT target) AS many,
        total_int(rows) FILTER (WHERE target = 'aicore_task') AS core_rows, total_int(rows) FILTER (WHERE target = 'aicpu_task') AS cpu_rows,
        '[' || group_concat(files) FILTER (WHERE target = 'aicore_task') || ']' AS core_files,
        '[' || group_concat(files) FILTER (WHERE target = 'aicpu_task') || ']' AS cpu_files,
        min(stream_id) FILTER (WHERE target = 'aicore_task') AS core_stream, min(stream_id) FILTER (WHERE target = 'aicpu_task') AS cpu_stream,
        min(first_row) FILTER (WHERE target = 'aicore_task') AS core_first, max(last_row) FILTER (WHERE target = 'aicore_task') AS core_last,
        min(first_row) FILTER (WHERE target = 'aicpu_task') AS cpu_first, max(last_row) FILTER (WHERE target = 'aicpu_task') AS cpu_last
      FROM (SELECT * FROM run ORDER BY first_row) GROUP BY process)
-- @split aicpu_task.rowid _cpu_first _cpu_last _cpu_rows
-- @rows
SELECT 0 AS pid, :_cpu_stream + :_beside AS tid, coalesce(word('op', 'oris', :_net, task_id, -1), word('op', 'names', :_net, task_id, -1)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CPU' ELSE 'AA_CPU' END AS "Task Type",
  :_cpu_stream AS "Stream Id", task_id AS "Task Id", 2 AS _unit, rowid AS _row
FROM aicpu_task WHERE rowid BETWEEN :split_first AND :split_last AND rowid BETWEEN :_cpu_first AND :_cpu_last{range device start_ns; start_ns + dur_ns}
-- @split aicore_task.rowid _core_first _core_last _core_rows
-- @layer
SELECT 0 AS pid, coalesce(:_core_stream, seg_id) AS tid,
  coalesce(word('op', 'oris', :_net, task_id, seg_id), word('op', 'names', :_net, task_id, seg_id)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CORE' ELSE 'AA_CORE' END AS "Task Type",
  coalesce(:_core_stream, seg_id) AS "Stream Id", task_id AS "Task Id", 1 AS _unit, rowid AS _row
FROM aicore_task WHERE rowid BETWEEN :split_first AND :split_last AND rowid BETWEEN :_core_first AND :_core_last{range device start_ns; start_ns + dur_ns}
-- @split aicpu_task.rowid _cpus_first _cpus_last _cpu_rows
-- @layer
SELECT 0 AS pid, s.stream_id + :_beside AS tid, coalesce(word('op', 'oris', :_net, task_id, -1), word('op', 'names', :_net, task_id, -1)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CPU' ELSE 'AA_CPU' END AS "Task Type", s.stream_id AS "Stream Id", task_id AS "Task Id", 2 AS _unit, aicpu_task.rowid AS _row
FROM json_each(:_cpu_files) f CROSS JOIN source s CROSS JOIN aicpu_task
WHERE s.id = f.value AND s.first_row <= :split_last AND s.last_row >= :split_first{step s.current_pic}
  AND aicpu_task.rowid BETWEEN max(s.first_row, :split_first) AND min(s.last_row, :split_last){range device start_ns; start_ns + dur_ns}
-- @split aicore_task.rowid _cores_first _cores_last _core_rows
-- @layer
SELECT 0 AS pid, coalesce(s.stream_id, seg_id) AS tid,
  coalesce(word('op', 'oris', :_net, task_id, seg_id), word('op', 'names', :_net, task_id, seg_id)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CORE' ELSE 'AA_CORE' END AS "Task Type", coalesce(s.stream_id, seg_id) AS "Stream Id", task_id AS "Task Id", 1 AS _unit,
  aicore_task.rowid AS _row
FROM json_each(:_core_files) f CROSS JOIN source s CROSS JOIN aicore_task
WHERE s.id = f.value AND s.first_row <= :split_last AND s.last_row >= :split_first{step s.current_pic}
  AND aicore_task.rowid BETWEEN max(s.first_row, :split_first) AND min(s.last_row, :split_last) AND start_ns IS NOT NULL{range device start_ns; start_ns + dur_ns}
