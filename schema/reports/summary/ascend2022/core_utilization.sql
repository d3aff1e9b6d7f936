-- @file {_name}_utilization_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT scope.*, column2 AS _name, column3 AS _core, column4 AS _time_title
FROM scope CROSS JOIN (VALUES ('aicore_sample', 'ai_core', 'aic', 'aicore_time(us)'), ('aiv_sample', 'ai_vector_core', 'aiv', 'aiv_time(us)'))
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = column1 AND s.device_id = scope.device_id AND s.records > 0)
-- @use ascend2022_metrics
-- @use core_metrics
-- @columns
SELECT CASE WHEN name IN ('total_cycles', 'cube_fops', 'vector_fops') THEN 'CAST(round(avg(' || value || ')) AS INTEGER)' ELSE 'rounded(avg(' || value || '), 6)' END AS term,
  CASE WHEN name = 'time' THEN :_time_title ELSE name END AS title
FROM (
  SELECT place, name, replace(value, :_core || '_', 'core_') AS value FROM metric_term WHERE core = :_core AND name NOT LIKE 'ub_%_bw_mte%'
  UNION ALL
  SELECT 101, 'vector_fops', group_concat(CASE event
      WHEN 0x4b THEN CASE (SELECT chip FROM setting WHERE device_id = :device_id) WHEN 0 THEN 32 ELSE 64 END
      WHEN 0x4c THEN 128 WHEN 0x4d THEN 64
      ELSE CASE WHEN (SELECT chip FROM setting WHERE device_id = :device_id) IN (2, 3, 4) THEN 16 WHEN event = 0x4e THEN 64 ELSE 32 END
    END || ' * core_pmu' || position, ' + ')
  FROM used WHERE core = :_core AND event BETWEEN 0x4b AND 0x4f HAVING count(*) = 5
) ORDER BY place
-- @rows
WITH one AS (
  SELECT *, core_cycles / frequency_mhz AS core_us FROM (
    SELECT c.device_id, c.core, nullif(c.total_cycles, 0) AS core_cycles, (SELECT s.aic_mhz FROM setting s WHERE s.device_id = c.device_id) AS frequency_mhz,
      pmu0 AS core_pmu0, pmu1 AS core_pmu1, pmu2 AS core_pmu2, pmu3 AS core_pmu3, pmu4 AS core_pmu4,
      pmu5 AS core_pmu5, pmu6 AS core_pmu6, pmu7 AS core_pmu7, pmu8 AS core_pmu8, pmu9 AS core_pmu9
    FROM core_sum c WHERE c.kind = :_core AND c.device_id = :device_id)
)
SELECT CASE WHEN is_mean THEN 'Average' ELSE core END AS "Core ID"{columns}
FROM (SELECT 0 AS is_mean, * FROM one UNION ALL SELECT 1, * FROM one)
GROUP BY device_id, is_mean, CASE WHEN NOT is_mean THEN core END ORDER BY device_id, is_mean, core
