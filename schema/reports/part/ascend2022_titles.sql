-- The columns to leave out: metrics with events that were not counted, and metrics that the groups Memory and MemoryUB
-- count only incidentally.
WITH needs(title, event) AS (VALUES
  ('vec_time(us)', 0x08),
  ('vec_ratio', 0x08),
  ('mac_time(us)', 0x0a),
  ('mac_ratio', 0x0a),
  ('scalar_time(us)', 0x09),
  ('scalar_ratio', 0x09),
  ('mte1_time(us)', 0x0b),
  ('mte1_ratio', 0x0b),
  ('mte2_time(us)', 0x0c),
  ('mte2_ratio', 0x0c),
  ('mte3_time(us)', 0x0d),
  ('mte3_ratio', 0x0d),
  ('icache_miss_rate', 0x54), ('icache_miss_rate', 0x55),
  ('mac_fp16_ratio', 0x49),
  ('mac_int8_ratio', 0x4a),
  ('vec_fp32_ratio', 0x4b),
  ('vec_fp16_ratio', 0x4c), ('vec_fp16_ratio', 0x4d),
  ('vec_int32_ratio', 0x4e),
  ('vec_misc_ratio', 0x4f),
  ('cube_fops', 0x49), ('cube_fops', 0x4a),
  ('vector_fops', 0x4b), ('vector_fops', 0x4c), ('vector_fops', 0x4d), ('vector_fops', 0x4e), ('vector_fops', 0x4f),
  ('ub_read_bw(GB/s)', 0x15),
  ('ub_write_bw(GB/s)', 0x16),
  ('l1_read_bw(GB/s)', 0x31),
  ('l1_write_bw(GB/s)', 0x32),
  ('l2_read_bw(GB/s)', 0x0f),
  ('l2_write_bw(GB/s)', 0x10),
  ('main_mem_read_bw(GB/s)', 0x12),
  ('main_mem_write_bw(GB/s)', 0x13),
  ('l0a_read_bw(GB/s)', 0x1b),
  ('l0a_write_bw(GB/s)', 0x1c),
  ('l0b_read_bw(GB/s)', 0x21),
  ('l0b_write_bw(GB/s)', 0x22),
  ('l0c_read_bw(GB/s)', 0x27),
  ('l0c_write_bw(GB/s)', 0x29),
  ('l0c_read_bw_cube(GB/s)', 0x28),
  ('l0c_write_bw_cube(GB/s)', 0x2a),
  ('ub_read_bw_vector(GB/s)', 0x43),
  ('ub_write_bw_vector(GB/s)', 0x44),
  ('ub_read_bw_scalar(GB/s)', 0x37),
  ('ub_write_bw_scalar(GB/s)', 0x38),
  ('vec_bankgroup_cflt_ratio', 0x64),
  ('vec_bank_cflt_ratio', 0x65),
  ('vec_resc_cflt_ratio', 0x66),
  ('memory_bound', 0x08), ('memory_bound', 0x0a), ('memory_bound', 0x0c)
), counted AS (
  SELECT event FROM counter WHERE device_id = :device_id AND EXISTS (
    SELECT 1 FROM task t WHERE t.device_id = :device_id AND t.step_id IS :_step AND t.pmu_row IS NOT NULL)
), aside(title, event) AS (VALUES
  ('l2_write_bw(GB/s)', 0x3d), ('main_mem_write_bw(GB/s)', 0x3d), ('l2_read_bw(GB/s)', 0x10), ('l2_write_bw(GB/s)', 0x0f)
)
