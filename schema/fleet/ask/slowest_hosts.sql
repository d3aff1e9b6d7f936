-- The machines and ranks whose own work took longer than that of their runs, over months: one that is slow in many runs is slow itself.
-- @param months 3
-- @param top 20
SELECT host, rank, count(DISTINCT run) AS runs, round(avg(100 * own_ns / run_ns - 100), 2) AS over_percent, round(max(100 * own_ns / run_ns - 100), 2) AS worst_percent
FROM (
  SELECT run, host, rank, own_ns
  FROM (SELECT job, run, host, rank FROM job WHERE started_ns >= {now_ns} - {months} * 2592000000000000) AS j
  INNER JOIN (SELECT job, avg(computing_ns + aicpu_ns) AS own_ns FROM step GROUP BY job) AS s USING (job)
) AS r INNER JOIN (
  SELECT run, avg(own_ns) AS run_ns
  FROM (SELECT job, run FROM job) AS a INNER JOIN (SELECT job, computing_ns + aicpu_ns AS own_ns FROM step) AS b USING (job) GROUP BY run
) AS m USING (run)
WHERE run_ns > 0
GROUP BY host, rank ORDER BY over_percent DESC, host, rank LIMIT {top}
