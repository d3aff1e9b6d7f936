-- What each job of the last days was like, a row a metric: with --format prometheus a file for the textfile collector.
-- @param run
-- @range months 0.1
-- @older {run} = '' OR run = {run}
SELECT metric, run, name, host, rank, value
FROM (
  SELECT 'msprof_job_step_seconds' AS metric, run, name, host, rank, mean_step_ns / 1e9 AS value
  FROM job_time WHERE {chosen} AND steps > 0 AND ({run} = '' OR run = {run})
  UNION ALL SELECT 'msprof_job_own_seconds' AS metric, run, name, host, rank, mean_own_ns / 1e9 AS value
  FROM job_time WHERE {chosen} AND steps > 0 AND ({run} = '' OR run = {run})
  UNION ALL SELECT 'msprof_job_idle_ratio' AS metric, run, name, host, rank, idle_ns * 1e0 / span_ns AS value
  FROM job_time WHERE {chosen} AND steps > 0 AND span_ns > 0 AND ({run} = '' OR run = {run})
  UNION ALL SELECT 'msprof_job_damaged' AS metric, run, name, host, rank, damaged * 1e0 AS value
  FROM job_time WHERE {chosen} AND ({run} = '' OR run = {run})
  UNION ALL SELECT 'msprof_job_begin_seconds' AS metric, run, name, host, rank, started_ns / 1e9 AS value
  FROM job_time WHERE {chosen} AND ({run} = '' OR run = {run})
) AS m
ORDER BY metric, run, name
