-- @family svp
-- @style any
-- @file task_time_{device_id}.{model}.{model_id}.{batch}
-- @process Task Scheduler
-- @thread Stream {tid}
-- @recorded _unit, _row DESC
-- @each
SELECT s.device_id, s.model, s.model_id, s.batch, max(s.net_id) AS _net, -- files of one model are adjacent
  coalesce(min(s.first_row) FILTER (WHERE s.target = 'aicore_task'), 0) AS _core_first,
  coalesce(max(s.last_row) FILTER (WHERE s.target = 'aicore_task'), -1) AS _core_last,
  coalesce(min(s.first_row) FILTER (WHERE s.target = 'aicpu_task'), 0) AS _cpu_first,
  coalesce(max(s.last_row) FILTER (WHERE s.target = 'aicpu_task'), -1) AS _cpu_last
FROM source s JOIN device d ON d.device_id = s.device_id
WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0 AND d.frequency_mhz IS NOT NULL{device s.device_id}{model s.model_id}{step s.current_pic}
GROUP BY s.device_id, s.model, s.model_id, s.batch
-- @split aicpu_task.rowid
-- @rows
SELECT 0 AS pid, stream_id AS tid, coalesce(word('op', 'oris', :_net, task_id, stream_id), word('op', 'names', :_net, task_id, stream_id)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CPU' ELSE 'AA_CPU' END AS "Task Type",
  stream_id AS "Stream Id", task_id AS "Task Id", 2 AS _unit, rowid AS _row
FROM aicpu_task WHERE rowid BETWEEN :split_first AND :split_last AND rowid BETWEEN :_cpu_first AND :_cpu_last{range device start_ns; start_ns + dur_ns}
-- @split aicore_task.rowid
-- @layer
SELECT 0 AS pid, stream_id AS tid, coalesce(word('op', 'oris', :_net, task_id, stream_id), word('op', 'names', :_net, task_id, stream_id)) AS name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CORE' ELSE 'AA_CORE' END AS "Task Type",
  stream_id AS "Stream Id", task_id AS "Task Id", 1 AS _unit, rowid AS _row
FROM aicore_task WHERE rowid BETWEEN :split_first AND :split_last AND rowid BETWEEN :_core_first AND :_core_last{range device start_ns; start_ns + dur_ns}
