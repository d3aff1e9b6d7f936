-- The newest job of each rank, where its mean step is longer than that of the jobs before it. Jobs that have the label `by` are compared over all runs in
-- which it has the same value, others within their run; and always on the same kind of chip.
-- @param by model
-- @param percent 3
-- @range months 3
-- @param top 50
-- @digits before_us 1
-- @digits last_us 1
-- @digits change_percent 2
SELECT what, run, name, label, rank, jobs_before, before_ns / 1000 AS before_us, last_ns / 1000 AS last_us, 100 * (last_ns - before_ns) / before_ns AS change_percent
FROM (
  SELECT what, run, name, label, rank, jobs - 1 AS jobs_before, last_ns, (all_ns - last_ns) / (jobs - 1) AS before_ns
  FROM (
    SELECT what, label, rank, chip, argMax(run, started_ns) AS run, argMax(name, started_ns) AS name, argMax(mean_step_ns, started_ns) AS last_ns,
      sum(mean_step_ns) AS all_ns, count(*) AS jobs
    FROM (
      SELECT CASE WHEN value > '' THEN value ELSE run END AS what, run, name, coalesce(label, '') AS label, coalesce(rank, -1) AS rank, coalesce(chip, '') AS chip,
        started_ns, mean_step_ns
      FROM (SELECT job, run, name, label, rank, chip, started_ns, mean_step_ns FROM job_time WHERE {chosen} AND steps > 0) AS j
      LEFT JOIN (SELECT job, value FROM job_label WHERE name = {by}) AS v USING (job)
    ) AS e GROUP BY what, label, rank, chip
  ) AS n WHERE jobs > 1
) AS c
WHERE last_ns > before_ns * (1 + {percent} / 100.0)
ORDER BY floor(100000000 * (last_ns - before_ns) / before_ns + 0.5) DESC, what, label, rank LIMIT {top}
