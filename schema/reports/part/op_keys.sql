-- One row for each inference that op_statistic distinguishes.
WITH inference AS (
  SELECT s.device_id, s.model_id, s.current_pic, 1 AS iter, d.frequency_mhz AS _frequency
  FROM source s LEFT JOIN device d ON d.device_id = s.device_id
  WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0
  GROUP BY s.device_id, s.model_id, s.current_pic
)
