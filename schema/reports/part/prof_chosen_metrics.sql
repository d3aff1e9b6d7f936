-- As prof_old_metrics, for iterations on chips of the current style: the metrics that op_summary has there, of both cores.
, shown AS (
  SELECT core, place + 1000 * (core <> 'aic') AS place, name, title, value, 0 AS is_half, 1 AS stars
  FROM metric_term t WHERE (split OR core = 'aic') AND EXISTS (SELECT 1 FROM task WHERE aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM unshown u WHERE t.split AND u.core = t.core AND u.name = t.name)
), ratio AS (
  SELECT core, max(value) FILTER (WHERE name = 'mac') AS mac, NULL AS vec, NULL AS mte2 FROM shown WHERE core = 'aic' AND title LIKE '%\_ratio' ESCAPE '\' GROUP BY core
)
