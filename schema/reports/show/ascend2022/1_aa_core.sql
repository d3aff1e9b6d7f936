-- @family ascend2022
-- @style any
-- @title AA Core Metrics
-- @vendor_title AI Core Metrics
-- @each
SELECT DISTINCT t.device_id, x.model_id AS model_id, x.iteration AS iteration, t.step_id AS _step, x.iteration AS _iteration,
  'Device id : ' || t.device_id || coalesce(' Model id : ' || x.model_id || ' Iteration : ' || x.iteration, '') AS heading
FROM task t LEFT JOIN step x ON x.id = t.step_id ORDER BY t.device_id, t.step_id
-- @use ascend2022_titles
-- @without
SELECT title FROM needs WHERE event NOT IN (SELECT event FROM counted)
UNION ALL SELECT title FROM aside WHERE event IN (SELECT event FROM counted)
-- @use ascend2022_runs
-- @use ascend2022_metrics
-- @rows
SELECT r.task_id AS "Task ID", r.stream_id AS "Stream ID", r.name AS "Op Name", r.op_type AS "OP Type", r.type AS "Task Type",
  rounded((stop - start) / 1000.0, 6) AS "Task Time(us)", r.block_dim AS "Block Dim",
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
FROM run r LEFT JOIN metric m ON m.id = r.id ORDER BY r.id
-- @why
SELECT 'no pair of task start and end in data/'
