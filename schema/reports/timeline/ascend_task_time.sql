-- @family ascend
-- @style any
-- @file task_time_{device_id}_{iter}
-- @process Task Scheduler
-- @thread Stream {tid}
-- @recorded _source DESC, _row DESC
-- @each
SELECT DISTINCT device_id, 1 AS iter FROM hwts_task
-- @rows
SELECT 0 AS pid, stream_id AS tid, name, start_ns, dur_ns,
  task_type AS "Task Type", stream_id AS "Stream Id", task_id AS "Task Id",
  source_id AS _source, row AS _row
FROM tasks WHERE device_id = :device_id AND task_type = 'AI_CORE'
