-- @family ascend2022
-- @style any
-- @title AA Core Metrics
-- @vendor_title AI Core Metrics
-- @time Task Time(us)
-- @each
SELECT DISTINCT t.device_id, x.model_id AS model_id, x.iteration AS iteration, t.step_id AS _step, x.iteration AS _iteration, 1 AS _number,
  'Device id : ' || t.device_id || coalesce(' Model id : ' || x.model_id || ' Iteration : ' || x.iteration, '') AS heading
FROM task t LEFT JOIN step x ON x.id = t.step_id ORDER BY t.device_id, t.step_id
-- @use ascend2022_titles
-- @without
SELECT column1 AS title FROM (VALUES ('id'), ('Model Name'), ('Model ID'), ('Infer ID'), ('Task Start Time'), ('Task Duration(us)'),
  ('Task Wait Time(us)'), ('Input Shapes'), ('Input Data Types'), ('Input Formats'), ('Output Shapes'), ('Output Data Types'),
  ('Output Formats'), ('aicore_time(us)'), ('total_cycles'))
UNION ALL SELECT title FROM needs WHERE event NOT IN (SELECT event FROM counted)
UNION ALL SELECT title FROM aside WHERE event IN (SELECT event FROM counted)
-- @use ascend2022_runs
-- @use ascend2022_operators
-- @rows
SELECT * FROM operator ORDER BY id
-- @why
SELECT 'no pair of task start and end in data/'
