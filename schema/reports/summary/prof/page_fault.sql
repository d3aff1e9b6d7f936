-- @family prof
-- @style any
-- @file page_fault_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM soc_pmu WHERE data_type = 4)
-- @rows
SELECT s.device_id AS "Device Id", p.stream_id AS "Stream Id", p.task_id AS "Task Id", iif(p.event0 > 4294967295, 0, p.event0) AS "Page Fault Num", n.name AS "Op Name"
FROM source s CROSS JOIN soc_pmu p
LEFT JOIN (SELECT device_id, stream_id, task_id, op_name, min(id) FROM task WHERE op_name IS NOT NULL GROUP BY 1, 2, 3) t
  ON t.device_id = s.device_id AND t.stream_id = p.stream_id AND t.task_id = p.task_id
LEFT JOIN name n ON n.hash = t.op_name
WHERE s.target = 'soc_pmu' AND p.rowid BETWEEN s.first_row AND s.last_row AND p.data_type = 4 ORDER BY s.device_id, p.rowid
