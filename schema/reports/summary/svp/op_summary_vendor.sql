-- @style vendor
-- @file op_summary_{device_id}.{model}.{model_id}.{batch}.{input_pic_num}.{current_pic}.{icache_miss_rate}.{frequency}
-- @needs tasks
-- @counters Mac Busy Ratio(%)
-- @use inferences
-- @each
SELECT * FROM run
-- @use aicore
-- @rows
SELECT CASE total WHEN 1 THEN '-' ELSE task_id END AS "Task ID", layer_ids AS "Layer ID", names AS "Layer Name",
  types AS "Layer Type", oris AS "Ori Layer Name", time_us AS "Time(us)",
  CASE total WHEN 1 THEN '100' ELSE time_ratio END AS "Time Ratio(%)",
  mac_busy_ratio AS "Mac Busy Ratio(%)", mac_ppen_ratio AS "Mac Ppen Ratio(%)",
  vec_busy_ratio AS "Vec Busy Ratio(%)", vec_ppen_ratio AS "Vec Ppen Ratio(%)",
  dstr_ratio AS "Dstr Ratio(%)", dtrans_ratio AS "Dtrans Ratio(%)",
  dld_ratio AS "DLD Ratio(%)", wld_ratio AS "WLD Ratio(%)",
  CASE bound_by WHEN 0 THEN 0 ELSE memory_bound END AS "Memory Bound",
  decimal(read_bytes, 1000, 2) AS "DDR Read(KB)", decimal(write_bytes, 1000, 2) AS "DDR Write(KB)",
  decimal(total_bytes, 1000, 2) AS "DDR Total(KB)"
FROM metric
