-- @title Reduce of iterations
-- @time Total Time(us)
-- @top 5
-- @later
-- @each
SELECT 1 AS _any FROM temp.choice c WHERE EXISTS (SELECT 1 FROM step_reduce r LEFT JOIN main.step s
    ON s.device_id = r.device_id AND s.model_id = r.model_id AND s.iteration = r.iteration
  WHERE NOT c.chosen OR (s.model_id = coalesce(c.model_id, s.model_id) AND s.index_id = coalesce(c.step, s.index_id)))
-- @rows
SELECT r.device_id AS "Device", r.model_id AS "Model ID", r.iteration AS "Iteration", count(*) AS "Count", decimal(total_int(r.end_ns - r.start_ns), 1000, 3) AS "Total Time(us)",
  decimal(max(r.end_ns - r.start_ns), 1000, 3) AS "Max(us)", decimal(100 * total_int(r.end_ns - r.start_ns), nullif(s.end_ns - s.start_ns, 0), 2) AS "Of iteration(%)"
FROM temp.choice c CROSS JOIN step_reduce r LEFT JOIN main.step s ON s.device_id = r.device_id AND s.model_id = r.model_id AND s.iteration = r.iteration
WHERE NOT c.chosen OR (s.model_id = coalesce(c.model_id, s.model_id) AND s.index_id = coalesce(c.step, s.index_id))
GROUP BY r.device_id, r.model_id, r.iteration ORDER BY total_int(r.end_ns - r.start_ns) DESC, r.device_id, r.model_id, r.iteration
