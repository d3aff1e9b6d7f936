-- @file process_cpu_usage_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM process_cpu WHERE user IS NOT NULL)
-- @use prof_processes
-- @rows
SELECT coalesce(device_id, 'host') AS "Device_id", pid AS "PID", coalesce(name, '') AS "Name", repr(rounded(100 * use, 3)) AS "CPU(%)"
FROM process_use ORDER BY device_id IS NULL, device_id, use DESC, CAST(pid AS TEXT)
