-- The counters of the samples of :device_id and their metrics, like ascend2022_operators has them for tasks. The metrics of
-- the last two events are unknown; these events tell which other events are not metrics.
WITH metric(event, name, what, factor) AS (VALUES
  (0x08, 'vec', 'pipe', NULL), (0x0a, 'mac', 'pipe', NULL), (0x09, 'scalar', 'pipe', NULL),
  (0x0b, 'mte1', 'pipe', NULL), (0x0c, 'mte2', 'pipe', NULL), (0x0d, 'mte3', 'pipe', NULL),
  (0x54, 'icache_req_ratio', 'ratio', NULL), (0x55, 'icache_miss_rate', 'ratio', NULL),
  (0x49, 'mac_fp16_ratio', 'ratio', NULL), (0x4a, 'mac_int8_ratio', 'ratio', NULL),
  (0x4b, 'vec_fp32_ratio', 'ratio', NULL), (0x4c, 'vec_fp16_128lane_ratio', 'ratio', NULL),
  (0x4d, 'vec_fp16_64lane_ratio', 'ratio', NULL), (0x4e, 'vec_int32_ratio', 'ratio', NULL),
  (0x4f, 'vec_misc_ratio', 'ratio', NULL), (0x64, 'vec_bankgroup_cflt_ratio', 'ratio', NULL),
  (0x65, 'vec_bank_cflt_ratio', 'ratio', NULL), (0x66, 'vec_resc_cflt_ratio', 'ratio', NULL),
  (0x15, 'ub_read_bw', 'bandwidth', 1024), (0x16, 'ub_write_bw', 'bandwidth', 1024),
  (0x31, 'l1_read_bw', 'bandwidth', 4096), (0x32, 'l1_write_bw', 'bandwidth', 1024),
  (0x0f, 'l2_read_bw', 'bandwidth', 2048), (0x10, 'l2_write_bw', 'bandwidth', 2048),
  (0x12, 'main_mem_read_bw', 'bandwidth', 2048), (0x13, 'main_mem_write_bw', 'bandwidth', 2048),
  (0x1b, 'l0a_read_bw', 'bandwidth', 4096), (0x1c, 'l0a_write_bw', 'bandwidth', 4096),
  (0x21, 'l0b_read_bw', 'bandwidth', 4096), (0x22, 'l0b_write_bw', 'bandwidth', 2048),
  (0x27, 'l0c_read_bw', 'bandwidth', 2048), (0x29, 'l0c_write_bw', 'bandwidth', 2048),
  (0x28, 'l0c_read_bw_cube', 'bandwidth', 8192), (0x2a, 'l0c_write_bw_cube', 'bandwidth', 8192),
  (0x43, 'ub_read_bw_vector', 'bandwidth', 4096), (0x44, 'ub_write_bw_vector', 'bandwidth', 2048),
  (0x37, 'ub_read_bw_scalar', 'bandwidth', 8192), (0x38, 'ub_write_bw_scalar', 'bandwidth', 8192),
  (0x3d, 'ub_read_bw_mte', 'bandwidth', NULL), (0x3e, 'ub_write_bw_mte', 'bandwidth', NULL)
), used AS (
  SELECT 'aic' AS core, c.position, c.event, m.name, m.what, m.factor FROM counter c LEFT JOIN metric m USING (event) WHERE c.device_id = :device_id
  UNION ALL
  SELECT 'aiv', c.position, c.event, m.name, m.what, m.factor FROM aiv_counter c LEFT JOIN metric m USING (event) WHERE c.device_id = :device_id
)
