-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM l2_task)
-- @rows
SELECT l.device_id AS "Device_id", l.stream_id AS "Stream Id", l.task_id AS "Task Id", CASE WHEN c.chip < 5 THEN repr(l.hit_rate) END AS "Hit Rate",
  repr(l.victim_rate) AS "Victim Rate", n.name AS "Op Name"
FROM l2_task l LEFT JOIN setting c USING (device_id)
LEFT JOIN (SELECT device_id, stream_id, task_id, op_name, min(id) FROM task WHERE op_name IS NOT NULL GROUP BY 1, 2, 3) t
  ON t.device_id = l.device_id AND t.stream_id = l.stream_id AND t.task_id = l.task_id
LEFT JOIN name n ON n.hash = t.op_name
ORDER BY l.rowid
