SELECT DISTINCT model_id FROM source WHERE state = 'raw' AND model_id IS NOT NULL ORDER BY 1 LIMIT 500
