-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM host_cpu)
-- @rows
SELECT 'host' AS "Device_id", json_extract(text, '$.cpuNums') AS "Total Cpu Numbers",
  (SELECT count(DISTINCT cpu) FROM host_cpu_use WHERE cpu <> 'Avg') AS "Occupied Cpu Numbers",
  (SELECT count(DISTINCT cpu) FROM host_cpu_use WHERE cpu <> 'Avg' AND use > 0) AS "Recommend Cpu Numbers"
FROM control WHERE name = 'info.json' AND device_id IS NULL
