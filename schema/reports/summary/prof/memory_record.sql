-- @family prof
-- @style any
-- @file memory_record_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM op_memory)
-- @rows
SELECT device_id AS "Device_id", 'GE' AS "Component", us(time_ns + :_wall) || char(9) AS "Timestamp(us)",
  repr(rounded(total_allocated / 1024.0, 3)) AS "Total Allocated(KB)", repr(rounded(total_reserved / 1024.0, 3)) AS "Total Reserved(KB)", 'NPU:' || device_id AS "Device"
FROM task_memory_info ORDER BY rowid
