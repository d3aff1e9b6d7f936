-- One row for each device and model whose API calls were recorded.
WITH model AS (
  SELECT s.device_id, s.model_id, 1 AS iter
  FROM source s WHERE s.target = 'api_call' AND s.records > 0
  GROUP BY s.device_id, s.model_id
)
