SELECT model_id, max(model) FROM source WHERE state = 'raw' AND model_id IS NOT NULL GROUP BY model_id ORDER BY model_id
