-- The columns of op_summary as SQL terms: what it has of an operator, then the metrics of the cores and the use of cubes.
, op_column(part, core, place, term, title) AS (
  SELECT -1, '', column1, column2, column3 FROM (VALUES
    (0, 'device_id', 'Device_id'),
    (1, 'model_id', 'Model ID'),
    (2, 'task_id', 'Task ID'),
    (3, 'stream_id', 'Stream ID'),
    (4, 'op_name', 'Op Name'),
    (5, 'op_type', 'OP Type'),
    (6, 'CASE op_state WHEN 0 THEN ''static'' WHEN 1 THEN ''dynamic'' ELSE ''N/A'' END', 'OP State'),
    (7, 'node_kind', 'Task Type'),
    (8, 'us(start_ns + :_wall) || char(9)', 'Task Start Time(us)'),
    (9, 'us(dur_ns)', 'Task Duration(us)'),
    -- the reference computes with starts of the day as doubles of microseconds: up to a quarter is lost
  (10, 'CASE WHEN wait_ns IS NULL THEN ''0'' ELSE us(max(0, wait_ns - (start_ns + :_wall)
    + ((start_ns + :_wall + 125) / 250 - ((start_ns + :_wall + 125) / 250 & 1) * ((start_ns + :_wall + 125) / 250 * 250 = start_ns + :_wall + 125)) * 250 + (before_ns + :_wall)
    - ((before_ns + :_wall + 125) / 250 - ((before_ns + :_wall + 125) / 250 & 1) * ((before_ns + :_wall + 125) / 250 * 250 = before_ns + :_wall + 125)) * 250)) || ''000'' END', 'Task Wait Time(us)'),
    (11, 'coalesce(block_num, 0)', 'Block Num'),
    (12, 'CASE WHEN is_op THEN coalesce(mix_num, 0) END', 'Mix Block Num'),
    (13, 'CASE op_flag WHEN 1 THEN ''YES'' WHEN 0 THEN ''NO'' ELSE coalesce(op_flag, ''N/A'') END', 'HF32 Eligible'),
    (14, 'word(''tensor'', ''input_shapes'', tensor_id)', 'Input Shapes'),
    (15, 'word(''tensor'', ''input_types'', tensor_id)', 'Input Data Types'),
    (16, 'word(''tensor'', ''input_formats'', tensor_id)', 'Input Formats'),
    (17, 'word(''tensor'', ''output_shapes'', tensor_id)', 'Output Shapes'),
    (18, 'word(''tensor'', ''output_types'', tensor_id)', 'Output Data Types'),
    (19, 'word(''tensor'', ''output_formats'', tensor_id)', 'Output Formats'),
    (20, 'nullif(context_id, 4294967295)', 'Context ID'))
  UNION ALL
  SELECT 0, core, place, CASE WHEN name = 'total_cycles' THEN value ELSE 'half_up(' || value || ', 3)' END, title FROM metric_term t
  WHERE (split OR core = 'aic') AND EXISTS (SELECT 1 FROM task WHERE aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM unshown u WHERE t.split AND u.core = t.core AND u.name = t.name)
  UNION ALL
  SELECT 1, core, 0, 'CASE WHEN dur_ns = 0 THEN ''0'' ELSE us(CAST(round(coalesce(100 * aic_cycles / (word(''setting'', ''mhz'', device_id) '
      || '* word(''setting'', ''cores'', device_id) * (dur_ns / 1000.0)), zero) * 1000) AS INTEGER)) END', 'cube_utilization(%)'
  FROM metric WHERE core = 'aic' AND name = 'mac' AND what = 'pipe'
    AND EXISTS (SELECT 1 FROM task WHERE aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL)
)
