-- The metrics of prof_metrics as columns without units; ratios of the events 0x416, 0x417 and 0x302 are called extra.
SELECT value AS term, CASE name WHEN 'time' THEN iif(split, core || '_', '') || 'total_time' ELSE replace(replace(replace(title, '(us)', ''), '(GB/s)', ''), '(KB)', '') END
  || iif(title GLOB '*_ratio' AND EXISTS (SELECT 1 FROM core_metric m WHERE m.core = t.core AND m.name = t.name AND m.event IN (0x302, 0x416, 0x417)), '_extra', '') AS title
FROM metric_term t WHERE (split OR core = 'aic') ORDER BY core, place
