-- @family prof
-- @style any
-- @file op_summary_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _from_ns, _to_ns FROM stamp WHERE NOT _old AND EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1)
-- @use prof_metrics
-- @columns
SELECT CASE WHEN name IN ('total_cycles', 'cube_utilization') THEN value ELSE 'half_up(' || value || ', 3)' END AS term, title
FROM (
  SELECT 0 AS part, core, place, name, title, value FROM metric_term t
  WHERE (split OR core = 'aic') AND EXISTS (SELECT 1 FROM task WHERE aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM unshown u WHERE t.split AND u.core = t.core AND u.name = t.name)
  UNION ALL
  SELECT 1, core, 0, 'cube_utilization',  'cube_utilization(%)', 'CASE WHEN dur_ns = 0 THEN ''0'' ELSE us(CAST(round(coalesce(100 * aic_cycles / (word(''setting'', ''mhz'', device_id) '
      || '* word(''setting'', ''cores'', device_id) * (dur_ns / 1000.0)), zero) * 1000) AS INTEGER)) END'
  FROM metric_term WHERE core = 'aic' AND name = 'mac' AND title LIKE '%\_ratio' ESCAPE '\'
    AND EXISTS (SELECT 1 FROM task WHERE aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL)
) ORDER BY part, core, place
-- @use prof_tasks
-- @split task.id
-- @rows
SELECT device_id AS "Device_id", model_id AS "Model ID", task_id AS "Task ID", stream_id AS "Stream ID", op_name AS "Op Name",
  op_type AS "OP Type", CASE op_state WHEN 0 THEN 'static' WHEN 1 THEN 'dynamic' ELSE 'N/A' END AS "OP State", node_kind AS "Task Type", us(start_ns + :_wall) || char(9) AS "Task Start Time(us)",
  us(dur_ns) AS "Task Duration(us)", -- the reference computes with starts of the day as doubles of microseconds: up to a quarter is lost
  CASE WHEN wait_ns IS NULL THEN '0' ELSE us(max(0, wait_ns
    - (start_ns + :_wall) + ((start_ns + :_wall + 125) / 250 - ((start_ns + :_wall + 125) / 250 & 1) * ((start_ns + :_wall + 125) / 250 * 250 = start_ns + :_wall + 125)) * 250
    + (before_ns + :_wall) - ((before_ns + :_wall + 125) / 250 - ((before_ns + :_wall + 125) / 250 & 1) * ((before_ns + :_wall + 125) / 250 * 250 = before_ns + :_wall + 125)) * 250
    )) || '000' END AS "Task Wait Time(us)",
  coalesce(block_num, 0) AS "Block Num", coalesce(mix_num, 0) AS "Mix Block Num",
  CASE op_flag WHEN 1 THEN 'YES' WHEN 0 THEN 'NO' ELSE coalesce(op_flag, 'N/A') END AS "HF32 Eligible",
  word('tensor', 'input_shapes', tensor_id) AS "Input Shapes", word('tensor', 'input_types', tensor_id) AS "Input Data Types", word('tensor', 'input_formats', tensor_id) AS "Input Formats",
  word('tensor', 'output_shapes', tensor_id) AS "Output Shapes", word('tensor', 'output_types', tensor_id) AS "Output Data Types", word('tensor', 'output_formats', tensor_id) AS "Output Formats",
  nullif(context_id, 4294967295) AS "Context ID"{columns}
FROM run
WHERE is_op = 1 AND id BETWEEN :split_first AND :split_last AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns ORDER BY id
