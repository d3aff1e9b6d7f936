-- The first columns of op_summary of iterations: the name of the model, and the iteration in which the operator ran.
SELECT device_id AS "Device_id", coalesce((SELECT coalesce(word('name', 'name', g.model_name), printf('%u', g.model_name)) FROM graph_id_map g
    WHERE g.model_id = operator.model_id ORDER BY g.rowid DESC LIMIT 1), 'N/A') AS "Model Name",
  model_id AS "Model ID", task_id AS "Task ID", stream_id AS "Stream ID", (SELECT s.index_id FROM temp.step_ahead s
    WHERE s.device_id = operator.device_id AND s.model_id = coalesce(nullif(operator.model_id, 4294967295), (SELECT model_id FROM temp.choice), -1)
      AND s.end_ns >= operator.start_ns + operator.dur_ns ORDER BY s.end_ns LIMIT 1) AS "Infer ID", op_name AS "Op Name",
  op_type AS "OP Type", CASE op_state WHEN 0 THEN 'static' WHEN 1 THEN 'dynamic' ELSE 'N/A' END AS "OP State", node_kind AS "Task Type",
  us(start_ns + :_wall) || char(9) AS "Task Start Time(us)", repr(dur_ns / 1000.0) AS "Task Duration(us)",
  CASE WHEN wait_ns IS NULL THEN '0' ELSE repr(max(wait_ns, 0) / 1000.0) END AS "Task Wait Time(us)", coalesce(block_num, 0) AS "Block Num"
