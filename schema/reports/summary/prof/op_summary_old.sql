-- @family prof
-- @style any
-- @file op_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _from_ns, _to_ns FROM stamp WHERE _old AND EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1)
-- @use prof_metrics
-- @use prof_old_metrics
-- @columns
SELECT term, title FROM (
  SELECT 0 AS part, 0 AS place, 'coalesce(mix_num, 0)' AS term, 'Mix Block Num' AS title
  UNION ALL SELECT 1, column1, column2, column3 FROM (VALUES
    (0, 'CASE op_flag WHEN 1 THEN ''YES'' WHEN 0 THEN ''NO'' ELSE coalesce(op_flag, ''N/A'') END', 'HF32 Eligible'),
    (1, 'word(''tensor'', ''input_shapes'', tensor_id)', 'Input Shapes'), (2, 'word(''tensor'', ''input_types'', tensor_id)', 'Input Data Types'),
    (3, 'word(''tensor'', ''input_formats'', tensor_id)', 'Input Formats'), (4, 'word(''tensor'', ''output_shapes'', tensor_id)', 'Output Shapes'),
    (5, 'word(''tensor'', ''output_types'', tensor_id)', 'Output Data Types'), (6, 'word(''tensor'', ''output_formats'', tensor_id)', 'Output Formats'),
    (7, 'nullif(context_id, 4294967295)', 'Context ID'))
  UNION ALL SELECT 2, place, CASE WHEN is_half AND stars THEN 'NULL' WHEN name = 'total_cycles' THEN value ELSE 'half_up(' || value || ', 3)' END, title FROM shown
  UNION ALL SELECT 3, 0, 'CASE WHEN zero IS NULL THEN NULL ELSE coalesce(repr(rounded(half_up(' || mte2 || ', 3) / nullif(max(half_up(' || vec || ', 3), half_up('
    || mac || ', 3)), 0), 3)), ''0'') END', 'memory_bound' FROM ratio WHERE mac IS NOT NULL AND vec IS NOT NULL AND mte2 IS NOT NULL
  UNION ALL SELECT 3, 1, 'CASE WHEN zero IS NULL THEN NULL WHEN min(half_up(' || mac || ', 3), ' || core || '_cycles, dur_ns) > 0 THEN repr(rounded(100 * ' || core
    || '_cycles / (word(''setting'', ''mhz'', device_id) * word(''setting'', ''cores'', device_id) * (dur_ns / 1000.0)), 3)) ELSE ''0'' END', 'cube_utilization(%)'
  FROM ratio WHERE mac IS NOT NULL
) WHERE title NOT IN ('Mix Block Num', 'Context ID') OR EXISTS (SELECT 1 FROM setting JOIN chip USING (chip) WHERE stars) ORDER BY part, place
-- @use prof_tasks
-- @split task.id
-- @rows
SELECT device_id AS "Device_id", model_id AS "Model ID", task_id AS "Task ID", stream_id AS "Stream ID", op_name AS "Op Name",
  op_type AS "OP Type", CASE op_state WHEN 0 THEN 'static' WHEN 1 THEN 'dynamic' ELSE 'N/A' END AS "OP State", node_kind AS "Task Type",
  us(start_ns + :_wall) || char(9) AS "Task Start Time(us)", repr(dur_ns / 1000.0) AS "Task Duration(us)",
  CASE WHEN wait_ns IS NULL THEN '0' ELSE repr(max(wait_ns, 0) / 1000.0) END AS "Task Wait Time(us)", coalesce(block_num, 0) AS "Block Num"{columns}
FROM run
WHERE is_op = 1 AND id BETWEEN :split_first AND :split_last AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns ORDER BY id
