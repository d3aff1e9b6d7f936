-- The ranks whose own work in a step took the longest, against the mean of their run. Own work is what computed and what the AI CPU did alone: ranks wait for
-- each other in communication, so that all their steps take equally long.
-- @param run
-- @range months 3
-- @param top 20
-- @older {run} = '' OR run = {run}
-- @digits step_us 1
-- @digits own_us 1
-- @digits run_us 1
-- @digits over_percent 2
SELECT run, name, host, rank, steps, mean_step_ns / 1000 AS step_us, mean_own_ns / 1000 AS own_us, run_ns / 1000 AS run_us,
  100 * (mean_own_ns - run_ns) / run_ns AS over_percent
FROM (
  SELECT run, name, host, rank, steps, mean_step_ns, mean_own_ns FROM job_time WHERE {chosen} AND steps > 0 AND ({run} = '' OR run = {run})
) AS r INNER JOIN (
  SELECT run, sum(own_ns) * 1e0 / sum(steps) AS run_ns FROM job_time WHERE {chosen} AND steps > 0 AND ({run} = '' OR run = {run}) GROUP BY run
) AS m USING (run)
WHERE run_ns > 0
ORDER BY over_percent DESC, run, name LIMIT {top}
