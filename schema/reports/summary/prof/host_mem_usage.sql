-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM host_memory_use)
-- @rows
SELECT 'host' AS "Device_id", total_kb AS "Total Memory(KB)", repr(rounded(use * total_kb / 100.0, 3)) AS "Peak Used Memory(KB)",
  repr(rounded((SELECT use FROM host_memory_use WHERE use > 0 ORDER BY use
    LIMIT 1 OFFSET (SELECT CAST((count(*) - 1) * 0.98 + 0.999999 AS INTEGER) FROM host_memory_use WHERE use > 0)) / 0.8 * total_kb / 100.0, 3)) AS "Recommend Memory(KB)"
FROM (SELECT max(use) AS use FROM host_memory_use), (SELECT json_extract(text, '$.memoryTotal') AS total_kb FROM control WHERE name = 'info.json' AND device_id IS NULL)
