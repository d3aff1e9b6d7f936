-- The memory of the device that is in use.
-- @needs memory
-- @each
SELECT DISTINCT 'Device ' || device_id AS track, device_id AS _device FROM npu_mem_sample ORDER BY device_id
-- @rows
SELECT time_ns, CASE event WHEN 0 THEN (ddr_bytes + hbm_bytes) / 1e6 END AS "Memory of the program(MB)",
  CASE event WHEN 1 THEN (ddr_bytes + hbm_bytes) / 1e6 END AS "Memory of the device(MB)"
FROM npu_mem_sample WHERE device_id = :_device
