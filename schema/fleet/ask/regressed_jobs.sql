-- The newest job of each run, label and rank, where its mean step is longer than that of the jobs before it.
-- @param percent 3
-- @param months 3
-- @param top 50
SELECT run, label, rank, jobs_before, round(before_ns / 1000, 1) AS before_us, round(last_ns / 1000, 1) AS last_us,
  round(100 * last_ns / before_ns - 100, 2) AS change_percent
FROM (
  SELECT run, label, rank, count(CASE WHEN started_ns < newest_ns THEN 1 END) AS jobs_before,
    avg(CASE WHEN started_ns < newest_ns THEN step_ns END) AS before_ns, avg(CASE WHEN started_ns = newest_ns THEN step_ns END) AS last_ns
  FROM (
    SELECT run, label, rank, started_ns, step_ns
    FROM (
      SELECT job, run, coalesce(label, '') AS label, coalesce(rank, -1) AS rank, started_ns
      FROM job WHERE started_ns >= {now_ns} - {months} * 2592000000000000
    ) AS j INNER JOIN (SELECT job, avg(span_ns) AS step_ns FROM step GROUP BY job) AS s USING (job)
  ) AS e INNER JOIN (
    SELECT run, label, rank, max(started_ns) AS newest_ns
    FROM (
      SELECT run, coalesce(label, '') AS label, coalesce(rank, -1) AS rank, started_ns
      FROM job WHERE started_ns >= {now_ns} - {months} * 2592000000000000
    ) AS i GROUP BY run, label, rank
  ) AS n USING (run, label, rank)
  GROUP BY run, label, rank
) AS c
WHERE jobs_before > 0 AND last_ns > before_ns * (1 + {percent} / 100.0)
ORDER BY change_percent DESC, run, label, rank LIMIT {top}
