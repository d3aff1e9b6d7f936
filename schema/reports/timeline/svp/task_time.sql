-- @family svp
-- @style any
-- @file task_time_{device_id}.{model}.{model_id}.{batch}
-- @process Task Scheduler
-- @thread Stream {tid}
-- @recorded _unit, _row DESC
-- @each
SELECT s.device_id, s.model, s.model_id, s.batch, max(s.net_id) AS _net, -- files of one model are adjacent
  min(s.first_row) FILTER (WHERE s.target = 'aicore_task') AS _core_first,
  max(s.last_row) FILTER (WHERE s.target = 'aicore_task') AS _core_last,
  min(s.first_row) FILTER (WHERE s.target = 'aicpu_task') AS _cpu_first,
  max(s.last_row) FILTER (WHERE s.target = 'aicpu_task') AS _cpu_last
FROM source s JOIN device d ON d.device_id = s.device_id
WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0 AND d.frequency_mhz IS NOT NULL{device s.device_id}
GROUP BY s.device_id, s.model, s.model_id, s.batch
-- @rows
SELECT 0 AS pid, t.stream_id AS tid, coalesce(o.oris, o.names) AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CORE' ELSE 'AA_CORE' END AS "Task Type",
  t.stream_id AS "Stream Id", t.task_id AS "Task Id", 1 AS _unit, t.rowid AS _row
FROM aicore_task t LEFT JOIN op o ON o.net_id = :_net AND o.task_id = t.task_id AND o.stream_id = t.stream_id
WHERE t.rowid BETWEEN :_core_first AND :_core_last{range device t.start_ns; t.start_ns + t.dur_ns}
UNION ALL
SELECT 0, t.stream_id, coalesce(o.oris, o.names), t.start_ns, t.dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_CPU' ELSE 'AA_CPU' END, t.stream_id, t.task_id, 2, t.rowid
FROM aicpu_task t LEFT JOIN op o ON o.net_id = :_net AND o.task_id = t.task_id AND o.stream_id = t.stream_id
WHERE t.rowid BETWEEN :_cpu_first AND :_cpu_last{range device t.start_ns; t.start_ns + t.dur_ns}
