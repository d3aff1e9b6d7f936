-- @family prof
-- @style any
-- @file ai_core_utilization_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM aicore_sample)
-- @use prof_metrics
-- @use core_metrics
-- @columns
SELECT CASE WHEN name = 'total_cycles' THEN 'CAST(round(avg(' || value || ')) AS INTEGER)' ELSE 'half_up(avg(' || value || '), 3)' END AS term,
  CASE WHEN name = 'time' THEN 'aicore_time(us)' ELSE name END AS title
FROM metric_term WHERE core = 'aic' ORDER BY place
-- @rows
WITH one AS (
  SELECT *, aic_cycles / frequency_mhz AS aic_us FROM (
    SELECT c.device_id, c.core, nullif(c.total_cycles, 0) AS aic_cycles, (SELECT f.mhz FROM core_frequency f WHERE f.device_id = c.device_id ORDER BY f.rowid LIMIT 1) AS frequency_mhz,
      pmu0 AS aic_pmu0, pmu1 AS aic_pmu1, pmu2 AS aic_pmu2, pmu3 AS aic_pmu3, pmu4 AS aic_pmu4,
      pmu5 AS aic_pmu5, pmu6 AS aic_pmu6, pmu7 AS aic_pmu7, pmu8 AS aic_pmu8, pmu9 AS aic_pmu9
    FROM core_sum c WHERE c.kind = 'aic')
)
SELECT device_id AS "Device_id", CASE WHEN is_mean THEN 'Average' ELSE core END AS "Core ID"{columns}
FROM (SELECT 0 AS is_mean, * FROM one UNION ALL SELECT 1, * FROM one)
GROUP BY device_id, is_mean, CASE WHEN NOT is_mean THEN core END ORDER BY device_id, is_mean, core
