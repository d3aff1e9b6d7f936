-- @family ascend2022
-- @style any
-- @file op_summary_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM task t WHERE t.device_id = scope.device_id AND t.step_id IS scope._step)
-- @use ascend2022_titles
-- @without
SELECT title FROM needs WHERE event NOT IN (SELECT event FROM counted)
UNION ALL SELECT title FROM aside WHERE event IN (SELECT event FROM counted)
UNION ALL SELECT column1 FROM (VALUES ('aicore_time(us)'), ('total_cycles')) WHERE NOT EXISTS (
  SELECT 1 FROM task t WHERE t.device_id = :device_id AND t.step_id IS :_step AND t.pmu_row IS NOT NULL)
UNION ALL SELECT column1 FROM (VALUES ('Model Name'), ('Infer ID')) WHERE :_step IS NULL
UNION ALL SELECT column1 FROM (VALUES ('Op Name'), ('OP Type'), ('Block Dim')) WHERE NOT EXISTS (SELECT 1 FROM op)
UNION ALL SELECT column1 FROM (VALUES ('Input Shapes'), ('Input Data Types'), ('Input Formats'), ('Output Shapes'),
  ('Output Data Types'), ('Output Formats')) WHERE NOT EXISTS (SELECT 1 FROM op_tensor)
-- @use ascend2022_runs
-- @use ascend2022_metrics
-- @rows
SELECT (SELECT name FROM model_load l WHERE l.model_id = r.model_id) AS "Model Name", coalesce(r.model_id, :_model) AS "Model ID",
  r.task_id AS "Task ID", r.stream_id AS "Stream ID", :_iteration AS "Infer ID", r.name AS "Op Name", r.op_type AS "OP Type",
  r.type AS "Task Type",
  CASE WHEN start = CAST(start AS INTEGER) THEN CAST(start AS INTEGER) ELSE start END AS "Task Start Time",
  rounded((stop - start) / 1000.0, 6) AS "Task Duration(us)",
  coalesce(max((CAST(start AS INTEGER) - lag(stop) OVER (ORDER BY r.id)) / 1000.0, 0.0), 0.0) AS "Task Wait Time(us)",
  r.block_dim AS "Block Dim",
  t.input_shapes AS "Input Shapes", t.input_types AS "Input Data Types", t.input_formats AS "Input Formats",
  t.output_shapes AS "Output Shapes", t.output_types AS "Output Data Types", t.output_formats AS "Output Formats",
  m.aicore_time AS "aicore_time(us)", m.cycles AS "total_cycles",
  m.vec_time AS "vec_time(us)",
  m.vec_ratio AS "vec_ratio",
  m.mac_time AS "mac_time(us)",
  m.mac_ratio AS "mac_ratio",
  m.scalar_time AS "scalar_time(us)",
  m.scalar_ratio AS "scalar_ratio",
  m.mte1_time AS "mte1_time(us)",
  m.mte1_ratio AS "mte1_ratio",
  m.mte2_time AS "mte2_time(us)",
  m.mte2_ratio AS "mte2_ratio",
  m.mte3_time AS "mte3_time(us)",
  m.mte3_ratio AS "mte3_ratio",
  m.icache_miss_rate AS "icache_miss_rate",
  m.mac_fp16_ratio AS "mac_fp16_ratio",
  m.mac_int8_ratio AS "mac_int8_ratio",
  m.vec_fp32_ratio AS "vec_fp32_ratio",
  m.vec_fp16_ratio AS "vec_fp16_ratio",
  m.vec_int32_ratio AS "vec_int32_ratio",
  m.vec_misc_ratio AS "vec_misc_ratio",
  m.cube_fops AS "cube_fops",
  m.vector_fops AS "vector_fops",
  m.ub_read_bw AS "ub_read_bw(GB/s)",
  m.ub_write_bw AS "ub_write_bw(GB/s)",
  m.l1_read_bw AS "l1_read_bw(GB/s)",
  m.l1_write_bw AS "l1_write_bw(GB/s)",
  m.l2_read_bw AS "l2_read_bw(GB/s)",
  m.l2_write_bw AS "l2_write_bw(GB/s)",
  m.main_mem_read_bw AS "main_mem_read_bw(GB/s)",
  m.main_mem_write_bw AS "main_mem_write_bw(GB/s)",
  m.l0a_read_bw AS "l0a_read_bw(GB/s)",
  m.l0a_write_bw AS "l0a_write_bw(GB/s)",
  m.l0b_read_bw AS "l0b_read_bw(GB/s)",
  m.l0b_write_bw AS "l0b_write_bw(GB/s)",
  m.l0c_read_bw AS "l0c_read_bw(GB/s)",
  m.l0c_write_bw AS "l0c_write_bw(GB/s)",
  m.l0c_read_bw_cube AS "l0c_read_bw_cube(GB/s)",
  m.l0c_write_bw_cube AS "l0c_write_bw_cube(GB/s)",
  m.ub_read_bw_vector AS "ub_read_bw_vector(GB/s)",
  m.ub_write_bw_vector AS "ub_write_bw_vector(GB/s)",
  m.ub_read_bw_scalar AS "ub_read_bw_scalar(GB/s)",
  m.ub_write_bw_scalar AS "ub_write_bw_scalar(GB/s)",
  m.vec_bankgroup_cflt_ratio AS "vec_bankgroup_cflt_ratio",
  m.vec_bank_cflt_ratio AS "vec_bank_cflt_ratio",
  m.vec_resc_cflt_ratio AS "vec_resc_cflt_ratio",
  fixed(coalesce(m.mte2_ratio / nullif(max(m.mac_ratio, m.vec_ratio), 0), 0), 6) AS "memory_bound"
FROM run r LEFT JOIN op_tensor t ON t.op_id = r.op_id LEFT JOIN metric m ON m.id = r.id
ORDER BY r.id
