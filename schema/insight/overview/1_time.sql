-- @title Where the time went
-- @needs tasks
-- @each
SELECT g.title AS "group", p.steps, p.mean_ns, decimal(1000000000, p.mean_ns, p.places) AS per_second, p.grp AS _grp, p.steps AS _steps,
  p.total_ns AS _total, say('time.' || g.what, 'group', g.title, 'steps', say('count.' || g.what || CASE p.steps WHEN 1 THEN '' ELSE 's' END, 'count', p.steps),
    'time', decimal(p.mean_ns, 1000, 1), 'rate', coalesce(decimal(1000000000, p.mean_ns, p.places), 'N/A')) AS heading
FROM (SELECT *, CASE WHEN mean_ns > 100000000000 THEN 6 ELSE 2 END AS places FROM temp.pace) p JOIN temp.step_group g ON g.id = p.grp ORDER BY p.grp
-- @rows
SELECT title AS "Part", decimal(total_ns, 1000 * :_steps, 3) AS "Mean(us)", decimal(shortest_ns, 1000, 3) AS "Min(us)",
  decimal(longest_ns, 1000, 3) AS "Max(us)", decimal(total_ns * 100, :_total, 2) AS "Share(%)",
  CASE WHEN class IS NOT NULL THEN decimal(beside_ns, 1000 * :_steps, 3) END AS "Beside(us)"
FROM temp.part WHERE grp = :_grp AND (total_ns > 0 OR beside_ns > 0) ORDER BY class IS NULL, class
-- @why
SELECT (SELECT word(text) FROM temp.no_step) || coalesce((SELECT word(': ') || word(substr(text, instr(text, ': ') + 2)) FROM note
  WHERE kind = 'warning' AND (text LIKE 'no data: %' OR text LIKE 'no task data: %') LIMIT 1), '')
