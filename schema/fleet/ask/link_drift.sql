-- Links whose speed changed: bytes a ns of the last days against the months before, by the machine of the source.
-- @param days 7
-- @param months 3
-- @param top 20
SELECT host, source_rank, target_rank, link, before_jobs, last_jobs, round(before_gbs, 3) AS before_gbs, round(last_gbs, 3) AS last_gbs,
  round(100 * last_gbs / before_gbs - 100, 2) AS change_percent
FROM (
  SELECT host, source_rank, target_rank, link, count(CASE WHEN is_last = 0 THEN 1 END) AS before_jobs, count(CASE WHEN is_last = 1 THEN 1 END) AS last_jobs,
    avg(CASE WHEN is_last = 0 THEN bytes END) / avg(CASE WHEN is_last = 0 THEN total_ns END) AS before_gbs,
    avg(CASE WHEN is_last = 1 THEN bytes END) / avg(CASE WHEN is_last = 1 THEN total_ns END) AS last_gbs
  FROM (
    SELECT job, host, CASE WHEN started_ns >= {now_ns} - {days} * 86400000000000 THEN 1 ELSE 0 END AS is_last
    FROM job WHERE started_ns >= {now_ns} - {months} * 2592000000000000
  ) AS j INNER JOIN (SELECT job, source_rank, target_rank, link, bytes, total_ns FROM link) AS l USING (job)
  GROUP BY host, source_rank, target_rank, link
) AS d
WHERE before_jobs > 0 AND last_jobs > 0
ORDER BY change_percent, host, source_rank, target_rank LIMIT {top}
