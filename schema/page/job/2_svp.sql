-- The chip, and what was set.
-- @each
SELECT coalesce((SELECT group_concat(soc, ', ') FROM (SELECT DISTINCT soc FROM device WHERE soc IS NOT NULL ORDER BY 1)), 'SS928 family') AS chip
-- @rows
SELECT title, value FROM (
  SELECT 1 AS place, 'Core clock' AS title, group_concat(frequency_mhz, ', ') || ' MHz' AS value FROM (SELECT DISTINCT frequency_mhz FROM device ORDER BY 1)
  UNION ALL SELECT 2, 'Model', group_concat(model, ', ') FROM (SELECT DISTINCT model FROM source WHERE model IS NOT NULL ORDER BY 1)
  UNION ALL SELECT 3, 'Batch', group_concat(batch, ', ') FROM (SELECT DISTINCT batch FROM net WHERE batch IS NOT NULL ORDER BY 1)
  UNION ALL SELECT 4, 'Devices', CAST(count(*) AS TEXT) FROM device
  UNION ALL SELECT 5, 'Tasks', CAST(total_int(records) AS TEXT) FROM source WHERE target IN ('aicore_task', 'aicpu_task')
  UNION ALL SELECT 6, 'Calls', CAST(total_int(records) AS TEXT) FROM source WHERE target = 'api_call'
) WHERE value IS NOT NULL ORDER BY place
