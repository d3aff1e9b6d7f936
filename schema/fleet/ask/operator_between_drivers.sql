-- Operators under two versions of the driver, on the same kind of chip: the mean time of a task in the newest `jobs` jobs of each version.
-- @param base
-- @param new
-- @param name
-- @param jobs 1000
-- @range months 12
-- @param top 50
-- @older driver = {base} OR driver = {new}
-- @digits base_us 3
-- @digits new_us 3
-- @digits change_percent 2
SELECT name, chip, base_ns / 1000 AS base_us, new_ns / 1000 AS new_us, 100 * (new_ns - base_ns) / base_ns AS change_percent, base_jobs, new_jobs
FROM (
  SELECT name, chip, count(DISTINCT job) AS base_jobs, sum(total_ns) * 1e0 / sum(tasks) AS base_ns
  FROM (SELECT job, name, total_ns, tasks FROM operator WHERE ({name} = '' OR name = {name}) AND job {among}
    (SELECT job FROM job WHERE driver = {base} AND {chosen} ORDER BY started_ns DESC, job LIMIT {jobs}))) AS o
  INNER JOIN (SELECT job, coalesce(chip, '') AS chip FROM job WHERE driver = {base}) AS j USING (job)
  GROUP BY name, chip
) AS b INNER JOIN (
  SELECT name, chip, count(DISTINCT job) AS new_jobs, sum(total_ns) * 1e0 / sum(tasks) AS new_ns
  FROM (SELECT job, name, total_ns, tasks FROM operator WHERE ({name} = '' OR name = {name}) AND job {among}
    (SELECT job FROM job WHERE driver = {new} AND {chosen} ORDER BY started_ns DESC, job LIMIT {jobs}))) AS p
  INNER JOIN (SELECT job, coalesce(chip, '') AS chip FROM job WHERE driver = {new}) AS k USING (job)
  GROUP BY name, chip
) AS n USING (name, chip)
WHERE base_ns > 0
ORDER BY change_percent DESC, name LIMIT {top}
