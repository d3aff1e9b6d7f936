-- @family ascend2022
-- @style any
-- @file op_summary_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step)
-- @use ascend2022_titles
-- @without
SELECT column1 AS title FROM (VALUES ('id'), ('Task Time(us)'))
UNION ALL SELECT title FROM needs WHERE event NOT IN (SELECT event FROM counted)
UNION ALL SELECT title FROM aside WHERE event IN (SELECT event FROM counted)
UNION ALL SELECT column1 FROM (VALUES ('aicore_time(us)'), ('total_cycles')) WHERE NOT EXISTS (
  SELECT 1 FROM task t WHERE t.device_id = :device_id AND t.step_id IS :_step AND t.pmu_row IS NOT NULL)
UNION ALL SELECT column1 FROM (VALUES ('Model Name'), ('Infer ID')) WHERE :_step IS NULL
UNION ALL SELECT column1 FROM (VALUES ('Op Name'), ('OP Type'), ('Block Dim')) WHERE NOT EXISTS (SELECT 1 FROM op)
UNION ALL SELECT column1 FROM (VALUES ('Input Shapes'), ('Input Data Types'), ('Input Formats'), ('Output Shapes'),
  ('Output Data Types'), ('Output Formats')) WHERE NOT EXISTS (SELECT 1 FROM op_tensor)
-- @use ascend2022_runs
-- @use ascend2022_operators
-- @rows
SELECT * FROM operator ORDER BY id
