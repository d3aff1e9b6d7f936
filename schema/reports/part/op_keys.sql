-- One row for each inference that op_statistic distinguishes: a tick of the core has _core, a nanosecond of the AI CPU _cpu, and a microsecond _rate units.
-- Databases before schema 4 have times of the AI CPU that were ticks of the core, of _step units.
WITH inference AS (
  SELECT s.device_id, s.model_id, s.current_pic, 1 AS iter, 1000 * d.frequency_mhz * p.ticks AS _rate, 1000 * p.cycles AS _core, d.frequency_mhz * p.ticks AS _cpu,
    CASE WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'older_cpu') THEN 100000 * p.ticks ELSE 1 END AS _step
  FROM source s CROSS JOIN parts p LEFT JOIN device d ON d.device_id = s.device_id
  WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0
  GROUP BY s.device_id, s.model_id, s.current_pic
)
