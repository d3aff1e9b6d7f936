-- @file task_time_{device_id}_{iter}
-- @process Task Scheduler
-- @thread Stream {tid}
-- @recorded _row DESC
-- @each
SELECT DISTINCT device_id, 1 AS iter FROM hwts_task WHERE 1{device device_id}
-- @rows
SELECT 0 AS pid, t.stream_id AS tid, o.name AS name, t.start_ns AS start_ns, t.dur_ns AS dur_ns,
  'AI_CORE' AS "Task Type", t.stream_id AS "Stream Id", t.task_id AS "Task Id", t.rowid AS _row
FROM hwts_task t LEFT JOIN hwts_op o ON o.id = t.hwts_op_id
WHERE t.device_id = :device_id{range device t.start_ns; t.start_ns + t.dur_ns}
