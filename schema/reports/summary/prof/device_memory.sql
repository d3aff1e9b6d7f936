-- @file sys_mem_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM device_memory WHERE name = 'TimeStamp')
-- @rows
WITH value AS (
  SELECT s.device_id, trim(x.name) AS name, x.value, count(*) FILTER (WHERE x.name = 'TimeStamp') OVER (PARTITION BY s.device_id) AS samples
  FROM source s CROSS JOIN device_memory x WHERE s.target = 'device_memory' AND x.rowid BETWEEN s.first_row AND s.last_row
), mean AS (
  SELECT device_id, name, CAST(total(value) / samples AS INTEGER) AS mean FROM value WHERE samples > 0 GROUP BY device_id, name
)
SELECT coalesce(device_id, 'host') AS "Device_id", max(mean) FILTER (WHERE name = 'MemTotal') AS "Memory Total(kB)",
  max(mean) FILTER (WHERE name = 'MemFree') AS "Memory Free(kB)",
  max(mean) FILTER (WHERE name = 'Buffers') AS "Buffers(kB)",
  max(mean) FILTER (WHERE name = 'Cached') AS "Cached(kB)",
  max(mean) FILTER (WHERE name = 'Shmem') AS "Share Memory(kB)",
  max(mean) FILTER (WHERE name = 'CommitLimit') AS "Commit Limit(kB)",
  max(mean) FILTER (WHERE name = 'Committed_AS') AS "Committed AS(kB)",
  max(mean) FILTER (WHERE name = 'HugePages_Total') AS "Huge Pages Total(pages)",
  max(mean) FILTER (WHERE name = 'HugePages_Free') AS "Huge Pages Free(pages)"
FROM mean GROUP BY device_id ORDER BY device_id IS NULL, device_id
