-- @title Pace
-- @needs tasks
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.pace)
-- @rows
SELECT g.title AS "Group", p.steps AS "Steps", decimal(p.first_ns, 1000, 1) AS "First(us)", decimal(p.median_ns, 1000, 1) AS "Median(us)",
  decimal(p.mad_ns, 1000, 1) AS "MAD(us)", decimal(p.p95_ns, 1000, 1) AS "p95(us)", decimal(p.p99_ns, 1000, 1) AS "p99(us)",
  decimal(p.longest_ns, 1000, 1) AS "Max(us)", (SELECT label FROM temp.step s WHERE s.id = p.slowest) AS "Slowest"
FROM temp.pace p JOIN temp.step_group g ON g.id = p.grp ORDER BY p.grp
