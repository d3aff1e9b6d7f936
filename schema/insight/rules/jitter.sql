-- @title Steps take unequally long
-- @needs tasks
-- @advice Look at what the slow steps have that others lack: another process on the host, a change of the clock, inputs of other shapes.
-- @start the unequal steps
-- @source p95 / p50 > {ratio}, the vendor's own analysis; at least {least_steps} steps: ours
-- @formula mean of the following steps - their median
-- @threshold ratio 1.1
-- @threshold least_steps 10
-- @each
SELECT g.title AS subject, p.mean_ns AS step_ns, p.p95_ns AS time_ns,
  max(0, (SELECT total_int(span_ns) / count(*) FROM temp.step s WHERE s.grp = p.grp AND s.number > 1) - p.median_ns) AS saving_ns,
  CASE WHEN p.steps >= 100 THEN 'high' ELSE 'medium' END AS confidence, p.grp AS _grp
FROM temp.pace p JOIN temp.step_group g ON g.id = p.grp
WHERE p.steps >= :least_steps AND (SELECT max(span_ns) FROM (SELECT span_ns, row_number() OVER (ORDER BY span_ns) AS rank, count(*) OVER () AS n
    FROM temp.step s WHERE s.grp = p.grp AND s.number > 1) WHERE rank <= (n * 95 + 99) / 100) > :ratio * p.median_ns
ORDER BY p.grp
-- @rows
SELECT number AS "Number", label AS "Step", decimal(span_ns, 1000, 3) AS "Time(us)", decimal(idle_ns, 1000, 3) AS "Idle(us)"
FROM temp.step WHERE grp = :_grp ORDER BY span_ns DESC, number
-- @why
SELECT text FROM temp.no_step UNION ALL SELECT say('why.steps', 'count', CAST(:least_steps AS INTEGER)) WHERE NOT EXISTS (SELECT 1 FROM temp.pace WHERE steps >= :least_steps)
