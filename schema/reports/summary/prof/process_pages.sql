-- @file process_mem_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM process_memory WHERE size IS NOT NULL)
-- @use prof_processes
-- @rows
SELECT coalesce(device_id, 'host') AS "Device_id", pid AS "PID", coalesce(name, '') AS "Name", size AS "Size(pages)", resident AS "Resident(pages)", shared AS "Shared(pages)"
FROM process_pages ORDER BY device_id IS NULL, device_id, size + resident + shared DESC, CAST(pid AS TEXT)
