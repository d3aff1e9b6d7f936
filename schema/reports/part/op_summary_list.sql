-- What op_summary has of an operator; metrics follow.
device_id AS "Device_id", model_id AS "Model ID", task_id AS "Task ID", stream_id AS "Stream ID", op_name AS "Op Name",
  op_type AS "OP Type", CASE op_state WHEN 0 THEN 'static' WHEN 1 THEN 'dynamic' ELSE 'N/A' END AS "OP State", node_kind AS "Task Type", us(start_ns + :_wall) || char(9) AS "Task Start Time(us)",
  us(dur_ns) AS "Task Duration(us)", -- the reference computes with starts of the day as doubles of microseconds: up to a quarter is lost
  CASE WHEN wait_ns IS NULL THEN '0' ELSE us(max(0, wait_ns
    - (start_ns + :_wall) + ((start_ns + :_wall + 125) / 250 - ((start_ns + :_wall + 125) / 250 & 1) * ((start_ns + :_wall + 125) / 250 * 250 = start_ns + :_wall + 125)) * 250
    + (before_ns + :_wall) - ((before_ns + :_wall + 125) / 250 - ((before_ns + :_wall + 125) / 250 & 1) * ((before_ns + :_wall + 125) / 250 * 250 = before_ns + :_wall + 125)) * 250
    )) || '000' END AS "Task Wait Time(us)",
  coalesce(block_num, 0) AS "Block Num", CASE WHEN is_op THEN coalesce(mix_num, 0) END AS "Mix Block Num",
  CASE op_flag WHEN 1 THEN 'YES' WHEN 0 THEN 'NO' ELSE coalesce(op_flag, 'N/A') END AS "HF32 Eligible",
  word('tensor', 'input_shapes', tensor_id) AS "Input Shapes", word('tensor', 'input_types', tensor_id) AS "Input Data Types", word('tensor', 'input_formats', tensor_id) AS "Input Formats",
  word('tensor', 'output_shapes', tensor_id) AS "Output Shapes", word('tensor', 'output_types', tensor_id) AS "Output Data Types", word('tensor', 'output_formats', tensor_id) AS "Output Formats",
  nullif(context_id, 4294967295) AS "Context ID"
