-- Two columns of step_trace for each time that an iteration reduces: the n-th of each row. An iteration with more than 48 shows the first.
SELECT '(SELECT ' || c.column2 || ' FROM step_reduce r WHERE r.device_id = step.device_id AND r.model_id = step.model_id AND r.iteration = step.iteration'
    || ' ORDER BY r.rowid LIMIT 1 OFFSET ' || n.value || ')' AS term, c.column3 AS title
FROM (SELECT max(n) AS most FROM (SELECT count(*) AS n FROM step_reduce GROUP BY device_id, model_id, iteration)) m
CROSS JOIN numbers(min(coalesce(m.most, 0), 48)) n
CROSS JOIN (VALUES (0, 'us(r.start_ns + :_wall) || char(9)', 'Reduce Start(us)'),
  (1, CASE WHEN :_old THEN 'repr((r.end_ns - r.start_ns) / 1000.0)' ELSE 'us(r.end_ns - r.start_ns)' END, 'Reduce Duration(us)')) c
ORDER BY n.value, c.column1
