-- The machines on which the own work of ranks took longer than in the rest of their runs: one that is slow in many runs is slow itself.
-- @range months 3
-- @param top 20
-- @digits over_percent 2
-- @digits worst_percent 2
SELECT host, count(DISTINCT run) AS runs, count(*) AS jobs, avg(100 * (mean_own_ns - run_ns) / run_ns) AS over_percent,
  max(100 * (mean_own_ns - run_ns) / run_ns) AS worst_percent
FROM (
  SELECT run, host, mean_own_ns FROM job_time WHERE {chosen} AND steps > 0
) AS r INNER JOIN (
  SELECT run, sum(own_ns) * 1e0 / sum(steps) AS run_ns FROM job_time WHERE {chosen} AND steps > 0 GROUP BY run
) AS m USING (run)
WHERE run_ns > 0
GROUP BY host ORDER BY floor(1000000 * avg(100 * (mean_own_ns - run_ns) / run_ns) + 0.5) DESC, host LIMIT {top}
