-- @family ascend2022
-- @style any
-- @title AA Core Metrics
-- @vendor_title AI Core Metrics
-- @time Task Time(us)
-- @each
SELECT DISTINCT t.device_id, x.model_id AS model_id, x.iteration AS iteration, t.step_id AS _step, x.iteration AS _iteration,
  'Device id : ' || t.device_id || coalesce(' Model id : ' || x.model_id || ' Iteration : ' || x.iteration, '') AS heading
FROM task t LEFT JOIN step x ON x.id = t.step_id WHERE t.unit IS NOT 1 ORDER BY t.device_id, t.step_id
-- @use ascend2022_titles
-- @without
SELECT 'id' AS title
UNION ALL SELECT title FROM needs WHERE event NOT IN (SELECT event FROM counted)
UNION ALL SELECT title FROM aside WHERE event IN (SELECT event FROM counted)
-- @use ascend2022_tasks
-- @use ascend2022_operators
-- @rows
SELECT * FROM operator ORDER BY id
-- @why
SELECT 'no pair of task start and end in data/'
