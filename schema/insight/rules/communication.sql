-- @family prof ascend2022 ascend910
-- @title Communication that nothing overlaps
-- @needs tasks
-- @advice An operation that takes much longer than others like it waits for a late rank: look there. Else start operations earlier, in buckets, on a stream of their own, while operators compute.
-- @start the communication that nothing overlaps
-- @source more than {share_of_step%} % of a step: ours
-- @formula time in which an operation ran and no operator did
-- @each
SELECT g.title AS subject, p.mean_ns AS step_ns, a.total_ns / p.steps AS time_ns, a.total_ns / p.steps AS saving_ns, 'high' AS confidence, p.grp AS _grp
FROM temp.part a JOIN temp.pace p ON p.grp = a.grp JOIN temp.step_group g ON g.id = a.grp
WHERE a.class = 4 AND a.total_ns > :share_of_step * p.total_ns ORDER BY 4 DESC, p.grp
-- @rows
SELECT name AS "Operation", start_ns AS "Start(ns)", decimal(end_ns - start_ns, 1000, 3) AS "Time(us)" FROM temp.collective
WHERE grp = :_grp ORDER BY end_ns - start_ns DESC, start_ns
-- @why
SELECT 'no collective operation ran' WHERE NOT EXISTS (SELECT 1 FROM temp.collective)
