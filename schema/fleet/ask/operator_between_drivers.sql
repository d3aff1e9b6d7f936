-- Operators under two versions of the driver, on the same kind of chip: the mean time of a task.
-- @param base
-- @param new
-- @param name
-- @param top 50
SELECT name, chip, round(base_ns / 1000, 3) AS base_us, round(new_ns / 1000, 3) AS new_us, round(100 * new_ns / base_ns - 100, 2) AS change_percent, base_jobs, new_jobs
FROM (
  SELECT name, chip, count(DISTINCT job) AS base_jobs, avg(total_ns) / avg(tasks) AS base_ns
  FROM (SELECT job, coalesce(chip, '') AS chip FROM job WHERE driver = {base}) AS j
  INNER JOIN (SELECT job, name, total_ns, tasks FROM operator WHERE {name} = '' OR name = {name}) AS o USING (job) GROUP BY name, chip
) AS b INNER JOIN (
  SELECT name, chip, count(DISTINCT job) AS new_jobs, avg(total_ns) / avg(tasks) AS new_ns
  FROM (SELECT job, coalesce(chip, '') AS chip FROM job WHERE driver = {new}) AS k
  INNER JOIN (SELECT job, name, total_ns, tasks FROM operator WHERE {name} = '' OR name = {name}) AS p USING (job) GROUP BY name, chip
) AS n USING (name, chip)
WHERE base_ns > 0
ORDER BY change_percent DESC, name LIMIT {top}
