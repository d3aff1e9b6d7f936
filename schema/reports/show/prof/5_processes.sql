-- @family prof
-- @style any
-- @title Processes
-- @top 5
-- @later
-- @use prof_chosen
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM process_cpu) OR EXISTS (SELECT 1 FROM process_memory)
-- @use prof_processes
-- @rows
SELECT coalesce(device_id, 'host') AS "Device", pid AS "PID", max(name) AS "Name", decimal(CAST(max(use) * 100000000 AS INTEGER), 1000000, 3) AS "CPU(%)",
  max(resident) AS "Resident(pages)", max(size) AS "Size(pages)"
FROM (SELECT device_id, pid, name, use, NULL AS resident, NULL AS size FROM process_use UNION ALL SELECT device_id, pid, name, NULL, resident, size FROM process_pages)
GROUP BY device_id, pid ORDER BY device_id IS NULL, device_id, max(use) DESC, pid
