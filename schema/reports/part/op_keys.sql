-- One row for each inference that op_statistic distinguishes: a microsecond has _rate cycles, or parts of which a cycle of either table has a
-- whole number.
WITH inference AS (
  SELECT s.device_id, s.model_id, s.current_pic, 1 AS iter, d.frequency_mhz * p.both AS _rate, p.both / p.core AS _core, p.both / p.cpu AS _cpu
  FROM source s CROSS JOIN parts p LEFT JOIN device d ON d.device_id = s.device_id
  WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0
  GROUP BY s.device_id, s.model_id, s.current_pic
)
