-- @use prof_stamp
-- @each
SELECT time, _real_wall, _begin_ns, _old FROM stamp WHERE EXISTS (SELECT 1 FROM npu_mem_sample WHERE time_ns >= _begin_ns)
-- @rows
SELECT device_id AS "Device_id", CASE event WHEN 0 THEN 'APP' WHEN 1 THEN 'Device' ELSE 'Unknown' END AS "event",
  CASE WHEN :_old THEN repr(rounded(ddr_bytes / 1024.0, 3)) ELSE ddr_bytes / 1024 END AS "ddr(KB)",
  CASE WHEN :_old THEN repr(rounded(hbm_bytes / 1024.0, 3)) ELSE hbm_bytes / 1024 END AS "hbm(KB)",
  CASE WHEN :_old THEN repr(rounded((ddr_bytes + hbm_bytes) / 1024.0, 3)) ELSE (ddr_bytes + hbm_bytes) / 1024 END AS "memory(KB)",
  us(CAST(time_ns + :_real_wall AS INTEGER)) || char(9) AS "timestamp(us)"
FROM npu_mem_sample WHERE time_ns >= :_begin_ns
