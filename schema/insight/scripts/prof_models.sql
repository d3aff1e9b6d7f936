SELECT DISTINCT model_id, NULL FROM step WHERE model_id IS NOT NULL ORDER BY model_id
