-- The chip, and what was set. Tasks and calls are numbered from 1 on: by itself, max() of a key reads one row.
-- @each
SELECT group_concat(chip, ', ') AS chip FROM (SELECT DISTINCT coalesce(c.name, CAST(s.chip AS TEXT)) AS chip FROM setting s LEFT JOIN chip c ON c.chip = s.chip
  WHERE s.chip IS NOT NULL ORDER BY 1)
-- @rows
SELECT title, value FROM (
  SELECT 1 AS place, 'Core clock' AS title, group_concat(mhz, ', ') || ' MHz' AS value FROM (SELECT DISTINCT mhz FROM setting WHERE mhz > 0 ORDER BY 1)
  UNION ALL SELECT 2, 'Cube cores', group_concat(cores, ', ') FROM (SELECT DISTINCT cores FROM setting WHERE cores > 0 ORDER BY 1)
  UNION ALL SELECT 3, 'Vector cores', group_concat(aiv_cores, ', ') FROM (SELECT DISTINCT aiv_cores FROM setting WHERE aiv_cores > 0 ORDER BY 1)
  UNION ALL SELECT 4, 'Core metrics', group_concat(aic_metrics, ', ') FROM (SELECT DISTINCT aic_metrics FROM setting WHERE aic_metrics IS NOT NULL ORDER BY 1)
  UNION ALL SELECT 5, 'Devices', CAST(count(*) AS TEXT) FROM device
  UNION ALL SELECT 6, 'Tasks', (SELECT CAST(coalesce(max(id), 0) AS TEXT) FROM task)
  UNION ALL SELECT 7, 'Calls', (SELECT CAST(coalesce(max(connection_id), 0) AS TEXT) FROM api)
) WHERE value IS NOT NULL ORDER BY place
