-- @family prof
-- @style any
-- @title Op summary
-- @time Task Duration(us)
-- @each
SELECT device_id, count(*) AS _rows, 'Device id : ' || device_id AS heading FROM task WHERE start_ns IS NOT NULL AND is_op = 1 GROUP BY device_id
-- @use prof_tasks
-- @rows
SELECT task_id AS "Task ID", stream_id AS "/Stream ID", op_name AS "Op Name", op_type AS "OP Type", task_type AS "Task Type",
  decimal(dur_ns, 1000, 3) AS "Task Duration(us)", decimal(max(wait_ns, 0), 1000, 3) AS "/Task Wait Time(us)",
  block_num AS "Block Num", CAST(aic_cycles AS INTEGER) AS "aic_total_cycles", CAST(aiv_cycles AS INTEGER) AS "/aiv_total_cycles",
  n.input_shapes AS "Input Shapes", n.output_shapes AS "Output Shapes"
FROM run LEFT JOIN tensor n ON n.id = run.tensor_id WHERE device_id = :device_id AND is_op = 1 ORDER BY run.id
-- @why
SELECT 'no pair of task start and end in device_N/data that the host launched as an operator'
