-- The first columns of op_summary in the older style.
SELECT device_id AS "Device_id", model_id AS "Model ID", task_id AS "Task ID", stream_id AS "Stream ID", op_name AS "Op Name",
  op_type AS "OP Type", CASE op_state WHEN 0 THEN 'static' WHEN 1 THEN 'dynamic' ELSE 'N/A' END AS "OP State", node_kind AS "Task Type",
  us(start_ns + :_wall) || char(9) AS "Task Start Time(us)", repr(dur_ns / 1000.0) AS "Task Duration(us)",
  CASE WHEN wait_ns IS NULL THEN '0' ELSE repr(max(wait_ns, 0) / 1000.0) END AS "Task Wait Time(us)", coalesce(block_num, 0) AS "Block Num"
