-- @title First step much slower than the rest
-- @needs tasks
-- @advice Run one step before the ones that count (warm-up): load, caches and allocations are paid in the first step.
-- @start the first step (warm-up)
-- @source {factor} times the median of the following steps, of at least {least_steps}: ours
-- @formula (first - median) / steps
-- @threshold factor 1.5
-- @threshold least_steps 4
-- @each
SELECT g.title AS subject, p.mean_ns AS step_ns, p.first_ns AS time_ns, (p.first_ns - p.median_ns) / p.steps AS saving_ns,
  'high' AS confidence, p.grp AS _grp
FROM temp.pace p JOIN temp.step_group g ON g.id = p.grp
WHERE p.steps >= :least_steps AND p.first_ns > :factor * p.median_ns ORDER BY p.grp
-- @rows
SELECT number AS "Number", label AS "Step", decimal(span_ns, 1000, 3) AS "Time(us)" FROM temp.step WHERE grp = :_grp AND number <= 5 ORDER BY number
-- @why
SELECT text FROM temp.no_step UNION ALL SELECT say('why.steps', 'count', CAST(:least_steps AS INTEGER)) WHERE NOT EXISTS (SELECT 1 FROM temp.pace WHERE steps >= :least_steps)
