-- The ranks whose own work in a step took the longest, against the mean of their run. Own work is what computed and what the AI CPU did alone: ranks wait for
-- each other in communication, so that all their steps take equally long.
-- @param run
-- @param months 3
-- @param top 20
SELECT run, name, host, rank, steps, round(step_ns / 1000, 1) AS step_us, round(own_ns / 1000, 1) AS own_us, round(run_ns / 1000, 1) AS run_us,
  round(100 * own_ns / run_ns - 100, 2) AS over_percent
FROM (
  SELECT run, name, host, rank, steps, step_ns, own_ns
  FROM (SELECT job, run, name, host, rank FROM job WHERE ({run} = '' OR run = {run}) AND started_ns >= {now_ns} - {months} * 2592000000000000) AS j
  INNER JOIN (SELECT job, count(*) AS steps, avg(span_ns) AS step_ns, avg(computing_ns + aicpu_ns) AS own_ns FROM step GROUP BY job) AS s USING (job)
) AS r INNER JOIN (
  SELECT run, avg(own_ns) AS run_ns
  FROM (SELECT job, run FROM job) AS a INNER JOIN (SELECT job, computing_ns + aicpu_ns AS own_ns FROM step) AS b USING (job) GROUP BY run
) AS m USING (run)
WHERE run_ns > 0
ORDER BY over_percent DESC, run, name LIMIT {top}
