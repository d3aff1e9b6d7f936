-- @family prof
-- @style any
-- @file npu_mem_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall, _begin_ns FROM stamp WHERE EXISTS (SELECT 1 FROM npu_mem_sample WHERE time_ns >= _begin_ns)
-- @rows
SELECT device_id AS "Device_id", CASE event WHEN 0 THEN 'APP' WHEN 1 THEN 'Device' ELSE 'Unknown' END AS "event", ddr_bytes / 1024 AS "ddr(KB)",
  hbm_bytes / 1024 AS "hbm(KB)", (ddr_bytes + hbm_bytes) / 1024 AS "memory(KB)", us(CAST(time_ns + :_wall / 1000.0 * 1000.0 AS INTEGER)) || char(9) AS "timestamp(us)"
FROM npu_mem_sample WHERE time_ns >= :_begin_ns
