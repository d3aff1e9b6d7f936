-- @family prof
-- @style any
-- @file operator_memory_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM op_memory)
-- @rows
SELECT 'host' AS "Device_id", coalesce((SELECT name FROM name WHERE hash = coalesce(a.operator, r.operator)), printf('%u', coalesce(a.operator, r.operator))) AS "Name",
  trimmed(coalesce(a.size, -r.size) / 1024.0) AS "Size(KB)", us(a.time_ns + :_wall) || char(9) AS "Allocation Time(us)",
  us(r.time_ns - a.time_ns) AS "Duration(us)", trimmed(a.total_allocated / 1024.0) AS "Allocation Total Allocated(KB)",
  trimmed(a.total_reserved / 1024.0) AS "Allocation Total Reserved(KB)", trimmed(r.total_allocated / 1024.0) AS "Release Total Allocated(KB)",
  trimmed(r.total_reserved / 1024.0) AS "Release Total Reserved(KB)", 'NPU:' || coalesce(a.device_id, r.device_id) AS "Device"
FROM op_memory o LEFT JOIN task_memory_info a ON a.rowid = o.allocated_row LEFT JOIN task_memory_info r ON r.rowid = o.released_row
ORDER BY o.rowid
