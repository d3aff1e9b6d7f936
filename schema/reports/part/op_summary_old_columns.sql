-- The columns of op_summary in the older style as SQL terms.
, op_column(part, core, place, term, title) AS (SELECT part, '', place, term, title FROM (
  SELECT -1 AS part, column1 AS place, column2 AS term, column3 AS title FROM (VALUES
    (0, 'device_id', 'Device_id'), (1, 'model_id', 'Model ID'), (2, 'task_id', 'Task ID'), (3, 'stream_id', 'Stream ID'), (4, 'op_name', 'Op Name'), (5, 'op_type', 'OP Type'),
    (6, 'CASE op_state WHEN 0 THEN ''static'' WHEN 1 THEN ''dynamic'' ELSE ''N/A'' END', 'OP State'), (7, 'node_kind', 'Task Type'),
    (8, 'us(start_ns + :_wall) || char(9)', 'Task Start Time(us)'), (9, 'repr(dur_ns / 1000.0)', 'Task Duration(us)'),
    (10, 'CASE WHEN wait_ns IS NULL THEN ''0'' ELSE repr(max(wait_ns, 0) / 1000.0) END', 'Task Wait Time(us)'), (11, 'coalesce(block_num, 0)', 'Block Num'))
  UNION ALL SELECT 0, 0, 'CASE WHEN is_op THEN coalesce(mix_num, 0) END', 'Mix Block Num'
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
) WHERE title NOT IN ('Mix Block Num', 'Context ID') OR EXISTS (SELECT 1 FROM setting JOIN chip USING (chip) WHERE stars))
