-- @title Page faults
-- @top 5
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM soc_pmu WHERE data_type = 4)
-- @use prof_page_faults
-- @rows
SELECT f.device_id AS "Device", coalesce(n.name, 'N/A') AS "Op Name", count(*) AS "Tasks", total_int(f.faults) AS "Page Faults", max(f.faults) AS "Most of a task"
FROM task_fault f LEFT JOIN name n ON n.hash = f.op_name GROUP BY f.device_id, f.op_name ORDER BY total_int(f.faults) DESC, f.device_id, n.name
