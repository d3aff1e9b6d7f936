-- @title Device idle within steps
-- @needs tasks
-- @advice Look at the longest idle gaps: start the next task before the last one ends, and keep work off the host in between.
-- @start the idle time of the device
-- @source more than {idle_share%} % idle: the vendor's own analysis
-- @formula idle time of a step
-- @each
SELECT g.title AS subject, p.mean_ns AS step_ns, a.total_ns / p.steps AS time_ns, a.total_ns / p.steps AS saving_ns, 'medium' AS confidence, p.grp AS _grp
FROM temp.part a JOIN temp.pace p ON p.grp = a.grp JOIN temp.step_group g ON g.id = a.grp
WHERE a.class IS NULL AND a.total_ns > :idle_share * p.total_ns ORDER BY 4 DESC, p.grp
-- @rows
SELECT s.label AS "Step", decimal(g.start_ns - s.start_ns, 1000, 3) AS "From(us)", decimal(g.end_ns - g.start_ns, 1000, 3) AS "Idle(us)",
  b.name AS "After", a.name AS "Before", w.title AS "Reason", h.name AS "Host in"
FROM temp.gap g JOIN temp.step s ON s.id = g.window JOIN temp.gap_word w ON w.number = g.reason
LEFT JOIN temp.op_name b ON b.id = g.before_op LEFT JOIN temp.op_name a ON a.id = g.after_op
LEFT JOIN temp.gap_host h ON h.gap = g.rowid
WHERE s.grp = :_grp ORDER BY g.end_ns - g.start_ns DESC, g.start_ns
-- @why
SELECT text FROM temp.no_step
