-- @style default
-- @file op_statistic_{device_id}_{model_id}_{current_pic}_{iter}
-- @needs tasks
-- @use op_keys
-- @each
SELECT * FROM inference
-- @use operator_tasks
-- @tally
-- @use operators
-- @rows
SELECT number AS "Task ID", stream_id AS "Stream ID", type AS "OP Name", task_type AS "Task Type",
  ratio AS "Total Time Ratio(%)", total_us AS "Total Time(us)", count AS "Count",
  avg_us AS "Avg(us)", max_us AS "Max(us)", min_us AS "Min(us)"
FROM ranked
