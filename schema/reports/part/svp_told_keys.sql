-- One row for each device and model with operators that the program told our recorder: what other recorders write there is unknown.
WITH told AS (
  SELECT s.device_id, s.model_id, 1 AS iter FROM source s CROSS JOIN device d ON d.device_id = s.device_id AND d.collector = 'host'
  WHERE s.target = 'api_call' AND EXISTS (SELECT 1 FROM api_call c WHERE c.rowid BETWEEN s.first_row AND s.last_row AND c.type = 1 AND c.detail <> '')
  GROUP BY s.device_id, s.model_id
)
