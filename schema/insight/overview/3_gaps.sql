-- @title Longest idle gaps
-- @needs tasks
-- @later
-- @each
SELECT count(*) AS _gaps, say('gaps.sums', 'sums', (SELECT group_concat(say('gaps.sum', 'time', decimal(r.total_ns, 1000, 1), 'count', r.count, 'reason', word(w.title)), word('; '))
    FROM temp.gap_reason r JOIN temp.gap_word w ON w.number = r.reason)) AS heading
FROM temp.gap HAVING count(*)
-- @rows
SELECT m.title AS "Group", s.label AS "Step", decimal(g.start_ns - s.start_ns, 1000, 3) AS "From(us)", decimal(g.end_ns - g.start_ns, 1000, 3) AS "Idle(us)",
  b.name AS "After", a.name AS "Before", w.title AS "Reason", h.name AS "Host in"
FROM (SELECT rowid AS gap, * FROM temp.gap ORDER BY end_ns - start_ns DESC, start_ns LIMIT 5) g JOIN temp.step s ON s.id = g.window JOIN temp.step_group m ON m.id = s.grp
JOIN temp.gap_word w ON w.number = g.reason LEFT JOIN temp.op_name b ON b.id = g.before_op LEFT JOIN temp.op_name a ON a.id = g.after_op
LEFT JOIN temp.gap_host h ON h.gap = g.gap
ORDER BY g.end_ns - g.start_ns DESC, g.start_ns
