-- @title Op statistic
-- @decides OP Type, Total Time(us), Total Time Ratio(%), Count, Task Type, Avg(us), Max(us)
-- @needs tasks
-- @time Total Time(us)
-- @later
-- @use op_keys
-- @each
SELECT inference.*, CASE WHEN (SELECT count(*) FROM device) > 1 THEN word('Device id : ') || device_id || ' ' ELSE '' END
    || word('Model id : ') || coalesce(inference.model_id, 'N/A') || word(' Current pic count: ') || coalesce(current_pic, 'N/A')
    || char(10) || say('statistic.fused')
    || CASE :style WHEN 'vendor' THEN '' ELSE char(10) || say('statistic.sums') END AS heading
FROM temp.choice c JOIN (SELECT *, count(*) OVER () AS _inferences FROM inference) AS inference
  ON (c.model_id IS NULL OR inference.model_id = c.model_id) AND (c.step IS NULL OR inference.current_pic = c.step) AND (c.each_step OR _inferences = 1)
-- @use operator_tasks
-- @tally
-- @use operators
-- @rows
SELECT number AS "Task ID", stream_id AS "Stream ID", type AS "OP Type", task_type AS "Task Type",
  total_us AS "Total Time(us)", ratio AS "Total Time Ratio(%)", count AS "Count",
  avg_us AS "Avg(us)", max_us AS "Max(us)", min_us AS "Min(us)"
FROM ranked
-- @use not_chosen
-- @why
SELECT CASE
  WHEN EXISTS (SELECT 1 FROM source WHERE target IN ('aicore_task', 'aicpu_task') AND records > 0) THEN (SELECT text FROM not_chosen)
  WHEN EXISTS (SELECT 1 FROM device WHERE collector = 'host') THEN 'host-only job: no AA Core data'
  ELSE 'no aicore.* or aicpu.* record in data/' END
