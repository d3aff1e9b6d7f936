-- One row for each device and model with recorded API calls; marks and ranges (5) are not calls.
WITH model AS (
  SELECT s.device_id, s.model_id, 1 AS iter
  FROM source s WHERE s.target = 'api_call' AND s.records > 0
    AND EXISTS (SELECT 1 FROM api_call c WHERE c.rowid BETWEEN s.first_row AND s.last_row AND c.type IS NOT 5)
  GROUP BY s.device_id, s.model_id
)
