-- Links whose speed changed: bytes a ns of the last days against the time before, by the machine of the source.
-- @param days 7
-- @range months 3
-- @param top 20
-- @digits before_gbs 3
-- @digits last_gbs 3
-- @digits change_percent 2
SELECT host, source_rank, target_rank, link, before_jobs, last_jobs, before_gbs, last_gbs, 100 * (last_gbs - before_gbs) / before_gbs AS change_percent
FROM (
  SELECT host, source_rank, target_rank, link, sum(1 - is_last) AS before_jobs, sum(is_last) AS last_jobs,
    sum((1 - is_last) * bytes) * 1e0 / sum((1 - is_last) * total_ns) AS before_gbs, sum(is_last * bytes) * 1e0 / sum(is_last * total_ns) AS last_gbs
  FROM (
    SELECT job, source_rank, target_rank, link, bytes, total_ns FROM link
  ) AS l INNER JOIN (
    SELECT job, host, CASE WHEN started_ns >= {to_ns} - {days} * 86400000000000 THEN 1 ELSE 0 END AS is_last FROM job WHERE {chosen}
  ) AS j USING (job)
  GROUP BY host, source_rank, target_rank, link
  HAVING sum(is_last) > 0 AND sum(1 - is_last) > 0
) AS d
ORDER BY change_percent, host, source_rank, target_rank LIMIT {top}
