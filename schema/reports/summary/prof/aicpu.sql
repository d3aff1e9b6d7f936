-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM aicpu_node)
-- @rows
SELECT s.device_id AS "Device_id", us(a.start_ns + :_wall) || char(9) AS "Timestamp(us)", n.name AS "Node",
  repr(1.0 * (a.memcpy_start_us - a.compute_start_us)) AS "Compute_time(us)", repr(1.0 * (a.memcpy_end_us - a.memcpy_start_us)) AS "Memcpy_time(us)",
  repr(a.dur_ns / 1000.0) AS "Task_time(us)",
  repr(1.0 * a.dispatch_us) AS "Dispatch_time(us)", repr(a.total_ns / 1000.0) AS "Total_time(us)", a.stream_id AS "Stream ID", a.task_id AS "Task ID"
FROM source s CROSS JOIN aicpu_node a
LEFT JOIN (SELECT device_id, stream_id, task_id, op_name, min(id) FROM task WHERE op_name IS NOT NULL GROUP BY 1, 2, 3) t
  ON t.device_id = s.device_id AND t.stream_id = a.stream_id AND t.task_id = a.task_id
LEFT JOIN name n ON n.hash = t.op_name
WHERE s.target = 'aicpu_node' AND a.rowid BETWEEN s.first_row AND s.last_row ORDER BY s.device_id, a.start_ns, a.rowid
