-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM soc_pmu WHERE data_type = 4)
-- @use prof_page_faults
-- @rows
SELECT f.device_id AS "Device Id", f.stream_id AS "Stream Id", f.task_id AS "Task Id", f.faults AS "Page Fault Num", n.name AS "Op Name"
FROM task_fault f LEFT JOIN name n ON n.hash = f.op_name ORDER BY f.device_id, f.row
