-- @file {_name}_utilization_{time}
-- @use prof_stamp
-- @each
SELECT time, column2 AS _name, column3 AS _core, column4 AS _time_title
FROM stamp CROSS JOIN (VALUES ('aicore_sample', 'ai_core', 'aic', 'aicore_time(us)'), ('aiv_sample', 'ai_vector_core', 'aiv', 'aiv_time(us)'))
WHERE EXISTS (SELECT 1 FROM core_sum WHERE kind = column3)
-- @use prof_metrics
-- @columns
SELECT CASE WHEN name = 'total_cycles' THEN 'CAST(round(avg(' || value || ')) AS INTEGER)' ELSE 'half_up(avg(' || value || '), 3)' END AS term,
  CASE WHEN name = 'time' THEN :_time_title ELSE title END AS title
FROM (SELECT place, name, replace(title, :_core || '_', '') AS title, replace(value, :_core || '_', 'core_') AS value FROM metric_term WHERE core = :_core)
ORDER BY place
-- @rows
WITH one AS (
  SELECT *, core_cycles / frequency_mhz AS core_us, 0.0 AS zero FROM (
    SELECT c.device_id, c.core, nullif(c.total_cycles, 0) AS core_cycles, (SELECT f.mhz FROM core_frequency f WHERE f.device_id = c.device_id ORDER BY f.rowid LIMIT 1) AS frequency_mhz,
      pmu0 AS core_pmu0, pmu1 AS core_pmu1, pmu2 AS core_pmu2, pmu3 AS core_pmu3, pmu4 AS core_pmu4,
      pmu5 AS core_pmu5, pmu6 AS core_pmu6, pmu7 AS core_pmu7, pmu8 AS core_pmu8, pmu9 AS core_pmu9
    FROM core_sum c WHERE c.kind = :_core)
)
SELECT device_id AS "Device_id", CASE WHEN is_mean THEN 'Average' ELSE core END AS "Core ID"{columns}
FROM (SELECT 0 AS is_mean, * FROM one UNION ALL SELECT 1, * FROM one)
GROUP BY device_id, is_mean, CASE WHEN NOT is_mean THEN core END ORDER BY device_id, is_mean, core
