-- The chip, and what was set.
-- @each
SELECT group_concat(chip, ', ') AS chip FROM (SELECT DISTINCT coalesce(c.name, CAST(s.chip AS TEXT)) AS chip FROM setting s LEFT JOIN chip c ON c.platform = s.chip
  WHERE s.chip IS NOT NULL ORDER BY 1)
-- @rows
SELECT title, value FROM (
  SELECT 1 AS place, 'Core clock' AS title, group_concat(mhz, ', ') || ' MHz' AS value FROM (SELECT DISTINCT CAST(aic_mhz AS INTEGER) AS mhz FROM setting ORDER BY 1)
  UNION ALL SELECT 2, 'Cores', group_concat(aic_num, ', ') FROM (SELECT DISTINCT aic_num FROM setting WHERE aic_num > 0 ORDER BY 1)
  UNION ALL SELECT 3, 'Model', group_concat(name, ', ') FROM (SELECT DISTINCT name FROM model_load WHERE name IS NOT NULL ORDER BY 1)
  UNION ALL SELECT 4, 'Core metrics', group_concat(metrics, ', ') FROM (SELECT DISTINCT metrics FROM setting WHERE metrics IS NOT NULL ORDER BY 1)
  UNION ALL SELECT 5, 'Devices', CAST(count(*) AS TEXT) FROM device
  UNION ALL SELECT 6, 'Tasks', CAST(count(*) AS TEXT) FROM task WHERE unit IS NOT 1
) WHERE value IS NOT NULL ORDER BY place
