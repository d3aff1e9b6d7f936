-- The core frequency as points of a curve: two points for each change, and the start and end of the collection.
WITH change AS (
  SELECT device_id, time_ns, mhz, rowid AS number FROM core_frequency
  WHERE device_id IN (SELECT device_id FROM source WHERE target = 'freq' AND records > 0)
), point AS (
  SELECT device_id, 0 AS number, coalesce((SELECT value FROM meta WHERE key = 'begin_ns'), min(time_ns)) AS time_ns, mhz
  FROM change GROUP BY device_id HAVING number = min(number)
  UNION ALL SELECT device_id, number, time_ns, mhz FROM change
  UNION ALL SELECT device_id, number, time_ns, mhz FROM change
  UNION ALL SELECT device_id, max(number) + 1, (SELECT value FROM meta WHERE key = 'end_ns'), mhz FROM change GROUP BY device_id
    HAVING (SELECT value FROM meta WHERE key = 'end_ns') IS NOT NULL
)
