-- Tasks of a model, which are one run of rows for each processor; the last two layers are for models with several runs (see svp_runs).
-- @family svp
-- @style any
-- @file task_time_{device_id}.{model}.{model_id}.{batch}
-- @process Task Scheduler
-- @thread Stream {tid}
-- @beside AA CPU, stream {tid}
-- @recorded _unit, _row DESC
-- @use svp_runs
-- @each
SELECT device_id, model, model_id, batch, net_id AS _net, many AS _many, core_stream AS _core_stream, cpu_stream AS _cpu_stream,
  CASE WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN 4294967296 ELSE 0 END AS _beside,
  iif(many, 0, coalesce(core_first, 0)) AS _core_first, iif(many, -1, coalesce(core_last, -1)) AS _core_last,
  iif(many, 0, coalesce(cpu_first, 0)) AS _cpu_first, iif(many, -1, coalesce(cpu_last, -1)) AS _cpu_last
FROM (SELECT process, device_id, model, model_id, batch, max(net_id) AS net_id, count(*) > count(DISTINCT target) AS many,
        min(stream_id) FILTER (WHERE target = 'aicore_task') AS core_stream, min(stream_id) FILTER (WHERE target = 'aicpu_task') AS cpu_stream,
        min(first_row) FILTER (WHERE target = 'aicore_task') AS core_first, max(last_row) FILTER (WHERE target = 'aicore_task') AS core_last,
        min(first_row) FILTER (WHERE target = 'aicpu_task') AS cpu_first, max(last_row) FILTER (WHERE target = 'aicpu_task') AS cpu_last
      FROM run GROUP BY process)
-- @split aicpu_task.rowid
-- @rows
SELECT 0 AS pid, :_cpu_stream + :_beside AS tid, coalesce(word('op', 'oris', :_net, task_id, -1), word('op', 'names', :_net, task_id, -1)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CPU' ELSE 'AA_CPU' END AS "Task Type",
  :_cpu_stream AS "Stream Id", task_id AS "Task Id", 2 AS _unit, rowid AS _row
FROM aicpu_task WHERE rowid BETWEEN :split_first AND :split_last AND rowid BETWEEN :_cpu_first AND :_cpu_last{range device start_ns; start_ns + dur_ns}
-- @split aicore_task.rowid
-- @layer
SELECT 0 AS pid, coalesce(:_core_stream, seg_id) AS tid,
  coalesce(word('op', 'oris', :_net, task_id, seg_id), word('op', 'names', :_net, task_id, seg_id)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CORE' ELSE 'AA_CORE' END AS "Task Type",
  coalesce(:_core_stream, seg_id) AS "Stream Id", task_id AS "Task Id", 1 AS _unit, rowid AS _row
FROM aicore_task WHERE rowid BETWEEN :split_first AND :split_last AND rowid BETWEEN :_core_first AND :_core_last{range device start_ns; start_ns + dur_ns}
-- @split aicpu_task.rowid
-- @layer
SELECT 0 AS pid, s.stream_id + :_beside AS tid, coalesce(word('op', 'oris', :_net, task_id, -1), word('op', 'names', :_net, task_id, -1)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CPU' ELSE 'AA_CPU' END AS "Task Type", s.stream_id AS "Stream Id", task_id AS "Task Id", 2 AS _unit, aicpu_task.rowid AS _row
FROM source s CROSS JOIN aicpu_task
WHERE :_many AND s.target = 'aicpu_task' AND s.device_id IS :device_id AND s.model IS :model AND s.model_id IS :model_id AND s.batch IS :batch{step s.current_pic}
  AND s.first_row BETWEEN coalesce((SELECT max(b.first_row) FROM source b WHERE b.target = 'aicpu_task' AND b.first_row <= :split_first), 0) AND :split_last
  AND aicpu_task.rowid BETWEEN s.first_row AND s.last_row AND aicpu_task.rowid BETWEEN :split_first AND :split_last{range device start_ns; start_ns + dur_ns}
-- @split aicore_task.rowid
-- @layer
SELECT 0 AS pid, coalesce(s.stream_id, seg_id) AS tid,
  coalesce(word('op', 'oris', :_net, task_id, seg_id), word('op', 'names', :_net, task_id, seg_id)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CORE' ELSE 'AA_CORE' END AS "Task Type", coalesce(s.stream_id, seg_id) AS "Stream Id", task_id AS "Task Id", 1 AS _unit,
  aicore_task.rowid AS _row
FROM source s CROSS JOIN aicore_task
WHERE :_many AND s.target = 'aicore_task' AND s.device_id IS :device_id AND s.model IS :model AND s.model_id IS :model_id AND s.batch IS :batch{step s.current_pic}
  AND s.first_row BETWEEN coalesce((SELECT max(b.first_row) FROM source b WHERE b.target = 'aicore_task' AND b.first_row <= :split_first), 0) AND :split_last
  AND aicore_task.rowid BETWEEN s.first_row AND s.last_row AND aicore_task.rowid BETWEEN :split_first AND :split_last AND start_ns IS NOT NULL{range device start_ns; start_ns + dur_ns}
