-- @family prof
-- @style any
-- @file l2_cache_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM l2_cache)
-- @rows
-- Which event is which is known for chips 1 (requests, hits and victims are events 1, 0 and 2) and 2 to 4 (0 and 1, 4, 3).
SELECT s.device_id AS "Device_id", l.stream_id AS "Stream Id", l.task_id AS "Task Id",
  half_up(CASE c.chip WHEN 1 THEN 1.0 * event0 / nullif(event1, 0) WHEN 2 THEN 1.0 * event4 / nullif(event0 + event1, 0) END, 6) AS "Hit Rate",
  half_up(CASE c.chip WHEN 1 THEN 1.0 * event2 / nullif(event1, 0) WHEN 2 THEN 1.0 * event3 / nullif(event0 + event1, 0) END, 6) AS "Victim Rate",
  n.name AS "Op Name"
FROM source s CROSS JOIN l2_cache l
LEFT JOIN (SELECT device_id, CASE WHEN chip BETWEEN 2 AND 4 THEN 2 ELSE chip END AS chip FROM setting) c ON c.device_id = s.device_id
LEFT JOIN (SELECT device_id, stream_id, task_id, op_name, min(id) FROM task WHERE op_name IS NOT NULL GROUP BY 1, 2, 3) t
  ON t.device_id = s.device_id AND t.stream_id = l.stream_id AND t.task_id = l.task_id
LEFT JOIN name n ON n.hash = t.op_name
WHERE s.target = 'l2_cache' AND l.rowid BETWEEN s.first_row AND s.last_row
