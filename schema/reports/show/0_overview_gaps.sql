-- @style default
-- @title Longest idle gaps
-- @decides Idle(us), Group, Before, Reason, After, From(us)
-- @needs tasks
-- @time Idle(us)
-- @facts
-- @top 3
-- @each
SELECT 1 AS _any FROM temp.choice c WHERE EXISTS (SELECT 1 FROM temp.gap)
  AND (c.each_step OR 100 * (SELECT total(total_ns) FROM temp.part WHERE class IS NULL) >= (SELECT total(total_ns) FROM temp.pace))
-- @without
SELECT 'Group' WHERE (SELECT count(*) FROM temp.pace) < 2
-- @rows
SELECT CASE WHEN s.label GLOB '[0-9]*' THEN CAST(s.label AS INTEGER) ELSE s.label END AS "Step",
  decimal(g.start_ns - s.start_ns, 1000, 2) AS "From(us)", decimal(g.end_ns - g.start_ns, 1000, 2) AS "Idle(us)",
  b.name AS "After", a.name AS "Before", w.name AS "Reason", m.title AS "Group"
FROM temp.choice c CROSS JOIN temp.gap g JOIN temp.step s ON s.id = g.window JOIN temp.step_group m ON m.id = s.grp JOIN temp.gap_word w ON w.number = g.reason
LEFT JOIN temp.op_name b ON b.id = g.before_op LEFT JOIN temp.op_name a ON a.id = g.after_op
ORDER BY g.end_ns - g.start_ns DESC, g.start_ns
