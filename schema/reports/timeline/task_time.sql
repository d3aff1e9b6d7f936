-- @family svp
-- @style any
-- @file task_time_{device_id}.{model}.{model_id}.{batch}
-- @process Task Scheduler
-- @thread Stream {tid}
-- @recorded _source DESC, _row DESC
-- @each
SELECT s.device_id, s.model, s.model_id, s.batch
FROM source s JOIN device d ON d.device_id = s.device_id
WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0 AND d.frequency_mhz IS NOT NULL
GROUP BY s.device_id, s.model, s.model_id, s.batch
-- @rows
SELECT 0 AS pid, stream_id AS tid, name, start_ns, dur_ns,
  CASE :style WHEN 'vendor' THEN 'AI_' || substr(task_type, 4) ELSE task_type END AS "Task Type",
  stream_id AS "Stream Id", task_id AS "Task Id",
  source_id AS _source, row AS _row
FROM tasks
WHERE device_id = :device_id AND model IS :model AND model_id IS :model_id AND batch IS :batch
  AND task_type IN ('AA_CORE', 'AA_CPU')
