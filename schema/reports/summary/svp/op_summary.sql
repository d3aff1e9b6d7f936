-- @style default
-- @file op_summary_{device_id}.{model}.{model_id}.{batch}.{input_pic_num}.{current_pic}.{icache_miss_rate}.{frequency}
-- @needs tasks
-- @counters Mac Busy Ratio
-- @use inferences
-- @each
SELECT * FROM run
-- @use aicore
-- @rows
SELECT layer_ids AS "Layer Id", oris AS "Ori Layer Name", names AS "Layer Name", types AS "Layer Type",
  time_us AS "Time(us)", time_ratio AS "Time Ratio",
  mac_busy_ratio AS "Mac Busy Ratio", mac_ppen_ratio AS "Mac Ppen Ratio",
  vec_busy_ratio AS "Vec Busy Ratio", vec_ppen_ratio AS "Vec Ppen Ratio",
  dstr_ratio AS "Dstr Ratio", dtrans_ratio AS "Dtrans Ratio", dld_ratio AS "DLD Ratio", wld_ratio AS "WLD Ratio",
  memory_bound AS "Memory Bound",
  read_bytes AS "DDR Read(byte)", write_bytes AS "DDR Write(byte)", total_bytes AS "DDR Total(byte)"
FROM metric
