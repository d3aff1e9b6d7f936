-- One row for each device: its iterations, or the whole collection, and how busy it was.
WITH run AS (
  SELECT g.device_id, g.what, g.id AS _grp, p.steps AS _steps, p.total_ns AS _total, i.total_ns AS _idle, decimal(100 * (p.total_ns - i.total_ns), p.total_ns, 2) AS busy_percent,
    decimal(100 * i.total_ns, p.total_ns, 2) AS idle_percent, CASE g.what WHEN 'iteration' THEN decimal(1000000000 * p.steps, p.total_ns, 2) END AS per_second
  FROM temp.step_group g JOIN temp.pace p ON p.grp = g.id JOIN temp.part i ON i.grp = g.id AND i.class IS NULL
)
SELECT device_id, CASE what WHEN 'iteration' THEN _steps END AS iterations, per_second, busy_percent, idle_percent, _grp, _steps, _total,
  word('Device id : ') || device_id || CASE what WHEN 'iteration' THEN word(' Iterations : ') || _steps || word('  (') || coalesce(per_second, 'N/A') || word(' a second)')
    ELSE word(' Whole collection, no iterations of one model') END || char(10)
    || word('Device busy : ') || coalesce(busy_percent, 'N/A') || word(' %  idle : ') || coalesce(idle_percent, 'N/A') || word(' %')
    || CASE WHEN (SELECT total_int(o.total_ns) FROM temp.operator o WHERE o.k1 = _grp AND NOT o.is_rest) > _total THEN char(10) || say('overview.overlap') ELSE '' END
    || CASE WHEN c.chosen AND (SELECT value FROM meta WHERE key = 'family') = 'ascend910' THEN char(10) || say('overview.whole') ELSE '' END
    || CASE (SELECT value FROM meta WHERE key = 'family') WHEN 'ascend910' THEN '' ELSE char(10) || say('overview.verdicts.ascend') END AS heading
FROM temp.choice c CROSS JOIN run ORDER BY device_id
