-- @family prof
-- @style any
-- @file npu_module_mem_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM npu_module_mem)
-- @rows
SELECT s.device_id AS "Device_id", m.module_id AS "Component", us(m.time_ns + :_wall) || char(9) AS "Timestamp(us)",
  trimmed(m.total_bytes / 1024.0) AS "Total Reserved(KB)", 'NPU:' || s.device_id AS "Device"
FROM source s CROSS JOIN npu_module_mem m WHERE s.target = 'npu_module_mem' AND m.rowid BETWEEN s.first_row AND s.last_row
