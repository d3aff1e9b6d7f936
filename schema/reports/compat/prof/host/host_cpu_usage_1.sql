-- @file host_cpu_usage
-- @title CpuInfo
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM host_cpu_use) OR EXISTS (SELECT 1 FROM process_sample)
-- @rows
SELECT coalesce(json_extract(text, '$.cpuNums'), json_extract(text, '$.cpuCores')) AS cpu_num,
  json_extract(text, '$.sysClockFreq') AS clk_jiffies FROM control WHERE name = 'info.json' AND device_id IS NULL
