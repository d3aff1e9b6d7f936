-- @needs tasks
-- @counters aicore_time(us)
-- @file op_summary_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT *, EXISTS (SELECT 1 FROM op) AS _described,
  EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step AND t.pmu_row IS NOT NULL AND _exports IS NOT 'none') AS _counted,
  EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step AND t.unit = 1 AND _exports IS NOT 'none') AS _nodes
FROM scope
WHERE EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step AND (t.unit = 0 OR t.unit = 1 AND t.op_id IS NOT NULL))
-- @use ascend2022_metrics
-- @use ascend2022_positions
-- @columns
SELECT term, title FROM (
  SELECT 0 AS place, 0 AS part, 'round(total_ms * 1000.0, 6)' AS term, 'aicore_time(us)' AS title WHERE :_described AND :_counted
  UNION ALL SELECT 0, 1, 'cycles', 'total_cycles' WHERE :_counted
  UNION ALL SELECT place, 0, 'round(rounded(total_ms * (' || value || '), 6) * 1000.0, 6)', replace(title, '_ratio', '_time(us)')
  FROM metric_column WHERE :_described AND title IN ('vec_ratio', 'mac_ratio', 'scalar_ratio', 'mte1_ratio', 'mte2_ratio', 'mte3_ratio')
  UNION ALL SELECT place, 1, CASE WHEN title IN ('vec_fp16_ratio', 'cube_fops', 'vector_fops') 
      THEN 'CASE WHEN ' || value || ' = CAST(' || value || ' AS INTEGER) THEN CAST(' || value || ' AS INTEGER) ELSE ' || value || ' END'
    ELSE 'round(' || value || ', 6)' END, title FROM metric_column
  UNION ALL SELECT 100, 0, 'CASE WHEN cycles IS NULL THEN NULL WHEN max(' || v || ', ' || m || ') THEN fixed((' || t || ') / max(' || v || ', ' || m || '), 6) ELSE 0 END',
    'memory_bound'
  FROM (SELECT max(value) FILTER (WHERE title = 'vec_ratio') AS v, max(value) FILTER (WHERE title = 'mac_ratio') AS m, max(value) FILTER (WHERE title = 'mte2_ratio') AS t
    FROM (SELECT title, 'round(' || value || ', 6)' AS value FROM metric_column))
  WHERE v IS NOT NULL AND m IS NOT NULL AND t IS NOT NULL
) ORDER BY place, part
-- @without
SELECT column1 AS title FROM (VALUES ('Model Name'), ('Infer ID')) WHERE :_step IS NULL
UNION ALL SELECT column1 FROM (VALUES ('Op Name'), ('OP Type'), ('Block Dim')) WHERE NOT :_described
UNION ALL SELECT column1 FROM (VALUES ('Input Shapes'), ('Input Data Types'), ('Input Formats'), ('Output Shapes'),
  ('Output Data Types'), ('Output Formats')) WHERE NOT EXISTS (SELECT 1 FROM op_tensor)
-- @use ascend2022_runs
-- @rows
-- of jobs without iterations the reference puts tasks in order of their waits as soon as the AI CPU recorded any
, waiting AS (
  SELECT *, coalesce(max(CAST(start AS INTEGER) - lag(start + dur) OVER (ORDER BY id), 0.0), 0.0) / 1000.0 AS wait_us FROM run
), counted AS (
  SELECT w.*, w.aic_mhz * 1000000.0 AS hz, pmu0 AS e0, pmu1 AS e1, pmu2 AS e2, pmu3 AS e3, pmu4 AS e4, pmu5 AS e5, pmu6 AS e6, pmu7 AS e7
  FROM waiting w LEFT JOIN aicore_pmu p ON p.rowid = w.pmu_row
  WHERE (NOT :_described AND unit = 0 OR described OR unit = 1 AND :_step IS NOT NULL AND same_kind)
    AND (unit = 1 OR pmu_row IS NOT NULL OR NOT EXISTS (SELECT 1 FROM aicore_pmu))
)
SELECT coalesce((SELECT name FROM model_load l WHERE l.model_id = c.model_id), 'N/A') AS "Model Name",
  CASE WHEN :_described THEN c.model_id ELSE coalesce(:_model, -1) END AS "Model ID",
  c.task_id AS "Task ID", c.stream_id AS "Stream ID", :_iteration AS "Infer ID", op_name AS "Op Name", op_hash AS "OP Type",
  kind AS "Task Type", CASE WHEN start = CAST(start AS INTEGER) THEN CAST(start AS INTEGER) ELSE start END AS "Task Start Time",
  dur / 1000.0 AS "Task Duration(us)", wait_us AS "Task Wait Time(us)", block_dim AS "Block Dim",
  t.input_shapes AS "Input Shapes", t.input_types AS "Input Data Types", t.input_formats AS "Input Formats",
  t.output_shapes AS "Output Shapes", t.output_types AS "Output Data Types", t.output_formats AS "Output Formats"{columns}
FROM counted c LEFT JOIN op_tensor t ON t.op_id = c.op_id
ORDER BY CASE WHEN :_nodes THEN CASE WHEN :_step IS NULL THEN wait_us ELSE start END END, CASE WHEN :_nodes THEN unit END, c.id
