-- The chip, and what was set.
-- @each
SELECT 'Ascend 910' AS chip
-- @rows
SELECT title, value FROM (
  SELECT 1 AS place, 'Counter clock' AS title, group_concat(counter_mhz, ', ') || ' MHz' AS value
  FROM (SELECT DISTINCT counter_mhz FROM device WHERE counter_mhz IS NOT NULL ORDER BY 1)
  UNION ALL SELECT 2, 'Devices', CAST(count(*) AS TEXT) FROM device
  UNION ALL SELECT 3, 'Tasks', CAST(count(*) AS TEXT) FROM hwts_task
) WHERE value IS NOT NULL ORDER BY place
