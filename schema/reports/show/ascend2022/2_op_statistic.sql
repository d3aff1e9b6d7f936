-- @title Op statistic
-- @decides OP Type, Total Time(us), Ratio(%), Count, Avg Time(us), Max Time(us), Core Type
-- @needs tasks
-- @time Total Time(us)
-- @top 5
-- @each
SELECT DISTINCT t.device_id, x.model_id AS model_id, x.iteration AS iteration, t.step_id AS _step,
  word('Device id : ') || t.device_id || coalesce(word(' Model id : ') || x.model_id || word(' Iteration : ') || x.iteration, '') AS heading
FROM temp.choice c CROSS JOIN task t LEFT JOIN main.step x ON x.id = t.step_id
WHERE t.unit IS NOT 1 AND (c.model_id IS NULL OR x.model_id = c.model_id) AND (c.step IS NULL OR x.iteration = c.step)
  AND (c.each_step OR (SELECT count(*) FROM main.step) < 2) ORDER BY t.device_id, t.step_id
-- @use ascend2022_tasks
-- @use ascend2022_statistic
-- @rows
SELECT op_type AS "OP Type", core AS "Core Type", count AS "Count", total_us AS "Total Time(us)",
  min_us AS "Min Time(us)", avg_us AS "Avg Time(us)", max_us AS "Max Time(us)", ratio AS "Ratio(%)"
FROM statistic ORDER BY total DESC, op_type
-- @use not_chosen
-- @why
SELECT CASE WHEN EXISTS (SELECT 1 FROM task) THEN (SELECT text FROM not_chosen) ELSE 'no pair of task start and end in data/' END
