SELECT coalesce((SELECT step FROM temp.step_range r WHERE operator.start_ns + :_wall >= r.start_ns AND operator.start_ns + :_wall < r.end_ns ORDER BY r.id LIMIT 1), '') AS "Step Id",
