-- @title Device idle between inferences
-- @needs tasks calls
-- @advice Prepare the next input while the device works: two threads or two buffers, and asynchronous execution.
-- @start the idle time between inferences
-- @source more than {idle_share%} % idle: the vendor's own analysis
-- @formula mean time between the end of an inference and the start of the next one on the device
-- @threshold least_pairs 3
-- @each
SELECT g.title AS subject, b.gap_ns / b.pairs + p.mean_ns AS step_ns, b.gap_ns / b.pairs AS time_ns, b.gap_ns / b.pairs AS saving_ns,
  'medium' AS confidence, b.grp AS _grp
FROM (SELECT grp, count(*) AS pairs, total_int(gap_ns) AS gap_ns FROM temp.between_steps WHERE gap_ns > 0 GROUP BY grp) b
JOIN temp.pace p ON p.grp = b.grp JOIN temp.step_group g ON g.id = b.grp
WHERE b.pairs >= :least_pairs AND b.gap_ns / b.pairs > :idle_share * (b.gap_ns / b.pairs + p.mean_ns) ORDER BY 4 DESC, b.grp
-- @rows
SELECT label AS "Step", decimal(gap_ns, 1000, 3) AS "Idle until then(us)" FROM temp.between_steps WHERE grp = :_grp AND gap_ns > 0 ORDER BY gap_ns DESC, label
-- @why
SELECT text FROM temp.no_step UNION ALL SELECT say('why.pairs', 'count', CAST(:least_pairs AS INTEGER))
WHERE :least_pairs > (SELECT count(*) FROM temp.between_steps)
