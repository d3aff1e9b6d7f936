-- The metrics that op_summary has: those of the cores, and the use of cubes.
SELECT CASE WHEN name IN ('total_cycles', 'cube_utilization') THEN value ELSE 'half_up(' || value || ', 3)' END AS term, title
FROM (
  SELECT 0 AS part, core, place, name, title, value FROM metric_term t
  WHERE (split OR core = 'aic') AND EXISTS (SELECT 1 FROM task WHERE aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM unshown u WHERE t.split AND u.core = t.core AND u.name = t.name)
  UNION ALL
  SELECT 1, core, 0, 'cube_utilization',  'cube_utilization(%)', 'CASE WHEN dur_ns = 0 THEN ''0'' ELSE us(CAST(round(coalesce(100 * aic_cycles / (word(''setting'', ''mhz'', device_id) '
      || '* word(''setting'', ''cores'', device_id) * (dur_ns / 1000.0)), zero) * 1000) AS INTEGER)) END'
  FROM metric WHERE core = 'aic' AND name = 'mac' AND what = 'pipe'
    AND EXISTS (SELECT 1 FROM task WHERE aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL)
) ORDER BY part, core, place
