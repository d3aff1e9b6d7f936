-- The numbers of the device that took the longest.
-- @family prof ascend2022 ascend910
-- @needs tasks
-- @each
SELECT p.grp AS _grp, p.steps AS _steps, p.total_ns AS _total, g.what AS _what, CASE WHEN (SELECT count(*) FROM temp.pace) > 1 THEN g.title || '; ' ELSE '' END AS _of
FROM temp.pace p JOIN temp.step_group g ON g.id = p.grp ORDER BY p.total_ns DESC, p.grp LIMIT 1
-- @rows
WITH line(place, label, value, unit, digits, note) AS (
  SELECT 1, 'Iterations per second', CASE :_what WHEN 'iteration' THEN decimal(1000000000 * :_steps, :_total, 2) END, '1/s', 2, 'from start to end'
  UNION ALL SELECT 2, 'Time per ' || :_what, decimal(:_total, 1000000 * :_steps, 3), 'ms', 3, say('page.mean', 'count', :_steps)
  UNION ALL SELECT 3, 'Device busy', decimal(100 * (:_total - total_ns), :_total, 1), '%', 1, 'of the time of the ' || :_what FROM temp.part WHERE grp = :_grp AND class IS NULL
  UNION ALL SELECT 4, 'Communication', decimal(100 * total_ns, :_total, 1), '%', 1, 'not overlapped' FROM temp.part WHERE grp = :_grp AND class = 4 AND total_ns > 0
)
SELECT label, value, unit,
  fixed(value, min(digits, CASE WHEN value >= 1000 THEN 0 WHEN value >= 100 THEN 1 WHEN value >= 10 THEN 2 ELSE 3 END)) AS text, :_of || word(note) AS note
FROM line WHERE value IS NOT NULL ORDER BY place
