-- What the program and all that it started used from a sample to the next, as msprof took samples of it.
WITH sample AS (
  SELECT time_ns, total(user_us + system_us) AS us, total(resident_kb) AS kb FROM process_sample GROUP BY time_ns
), used AS (
  SELECT lag(time_ns) OVER w AS before_ns, time_ns, us - lag(us) OVER w AS used_us, kb, i.cpus, i.total_kb
  FROM sample CROSS JOIN (
    SELECT coalesce(json_extract(text, '$.cpuNums'), json_extract(text, '$.cpuCores')) AS cpus, json_extract(text, '$.memoryTotal') AS total_kb
    FROM control WHERE name = 'info.json' AND device_id IS NULL) i
  WINDOW w AS (ORDER BY time_ns)
)
