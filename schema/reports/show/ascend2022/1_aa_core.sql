-- @title AA Core Metrics
-- @needs tasks counters
-- @vendor_title AI Core Metrics
-- @file op_summary
-- @time Task Time(us)
-- @top 3
-- @later
-- @each
SELECT DISTINCT t.device_id, x.model_id AS model_id, x.iteration AS iteration, t.step_id AS _step, x.iteration AS _iteration,
  word('Device id : ') || t.device_id || coalesce(word(' Model id : ') || x.model_id || word(' Iteration : ') || x.iteration, '') AS heading
FROM temp.choice c CROSS JOIN task t LEFT JOIN main.step x ON x.id = t.step_id
WHERE t.unit IS NOT 1 AND (c.model_id IS NULL OR x.model_id = c.model_id) AND (c.step IS NULL OR x.iteration = c.step)
  AND (c.each_step OR (SELECT count(*) FROM main.step) < 2) ORDER BY t.device_id, t.step_id
-- @use ascend2022_titles
-- @without
SELECT 'id' AS title
UNION ALL SELECT title FROM needs WHERE event NOT IN (SELECT event FROM counted)
UNION ALL SELECT title FROM aside WHERE event IN (SELECT event FROM counted)
-- @use ascend2022_tasks
-- @use ascend2022_operators
-- @rows
SELECT * FROM operator ORDER BY id
-- @use not_chosen
-- @why
SELECT CASE WHEN EXISTS (SELECT 1 FROM task) THEN (SELECT text FROM not_chosen) ELSE 'no pair of task start and end in data/' END
