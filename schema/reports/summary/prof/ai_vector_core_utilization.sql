-- @family prof
-- @style any
-- @file ai_vector_core_utilization_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM aiv_sample)
-- @use prof_metrics
-- @use core_metrics
-- @columns
SELECT CASE WHEN name = 'total_cycles' THEN 'CAST(round(avg(' || value || ')) AS INTEGER)' ELSE 'half_up(avg(' || value || '), 3)' END AS term,
  CASE WHEN name = 'time' THEN 'aiv_time(us)' ELSE name END AS title
FROM metric_term WHERE core = 'aiv' ORDER BY place
-- @rows
WITH one AS (
  SELECT *, aiv_cycles / frequency_mhz AS aiv_us FROM (
    SELECT c.device_id, c.core, nullif(c.total_cycles, 0) AS aiv_cycles, (SELECT f.mhz FROM core_frequency f WHERE f.device_id = c.device_id ORDER BY f.rowid LIMIT 1) AS frequency_mhz,
      pmu0 AS aiv_pmu0, pmu1 AS aiv_pmu1, pmu2 AS aiv_pmu2, pmu3 AS aiv_pmu3, pmu4 AS aiv_pmu4,
      pmu5 AS aiv_pmu5, pmu6 AS aiv_pmu6, pmu7 AS aiv_pmu7, pmu8 AS aiv_pmu8, pmu9 AS aiv_pmu9
    FROM core_sum c WHERE c.kind = 'aiv')
)
SELECT device_id AS "Device_id", CASE WHEN is_mean THEN 'Average' ELSE core END AS "Core ID"{columns}
FROM (SELECT 0 AS is_mean, * FROM one UNION ALL SELECT 1, * FROM one)
GROUP BY device_id, is_mean, CASE WHEN NOT is_mean THEN core END ORDER BY device_id, is_mean, core
