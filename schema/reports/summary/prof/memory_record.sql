-- @use prof_stamp
-- @each
SELECT time, _text_wall AS _wall FROM stamp WHERE EXISTS (SELECT 1 FROM op_memory)
-- @rows
SELECT coalesce(d.device_id, 'host') AS "Device_id", 'GE' AS "Component", us(m.time_ns + :_wall) || char(9) AS "Timestamp(us)",
  repr(rounded(total_allocated / 1024.0, 3)) AS "Total Allocated(KB)", repr(rounded(total_reserved / 1024.0, 3)) AS "Total Reserved(KB)", 'NPU:' || m.device_id AS "Device"
FROM (SELECT 1) LEFT JOIN device d CROSS JOIN task_memory_info m ORDER BY d.device_id, m.rowid
