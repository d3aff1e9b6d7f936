-- @style vendor
-- @title Op summary
-- @needs tasks counters
-- @time Task Duration(us)
-- @use prof_chosen
-- @each
SELECT t.device_id, count(*) AS _rows, word('Device id : ') || t.device_id AS heading, h._from_ns, h._to_ns FROM temp.choice c JOIN chosen h CROSS JOIN task t
WHERE (c.each_step OR (SELECT count(*) FROM main.step) < 2) AND t.start_ns IS NOT NULL AND t.is_op = 1 AND t.start_ns + t.dur_ns > h._from_ns
  AND t.start_ns + t.dur_ns <= h._to_ns GROUP BY t.device_id
-- @use prof_tasks
-- @rows
SELECT task_id AS "Task ID", stream_id AS "/Stream ID", op_name AS "Op Name", op_type AS "OP Type", task_type AS "Task Type",
  decimal(dur_ns, 1000, 3) AS "Task Duration(us)", decimal(max(wait_ns, 0), 1000, 3) AS "/Task Wait Time(us)",
  block_num AS "Block Num", CAST(aic_cycles AS INTEGER) AS "aic_total_cycles", CAST(aiv_cycles AS INTEGER) AS "/aiv_total_cycles",
  word('tensor', 'input_shapes', tensor_id) AS "Input Shapes", word('tensor', 'output_shapes', tensor_id) AS "Output Shapes"
FROM run WHERE device_id = :device_id AND is_op = 1 AND start_ns + dur_ns > :_from_ns AND start_ns + dur_ns <= :_to_ns ORDER BY id
-- @use not_chosen
-- @why
SELECT CASE WHEN EXISTS (SELECT 1 FROM task WHERE start_ns IS NOT NULL AND is_op = 1) THEN (SELECT text FROM not_chosen)
  ELSE 'no pair of task start and end in device_N/data that the host launched as an operator' END
