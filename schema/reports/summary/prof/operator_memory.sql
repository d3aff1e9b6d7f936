-- @use prof_stamp
-- @each
SELECT time, _text_wall AS _wall FROM stamp WHERE EXISTS (SELECT 1 FROM op_memory)
-- @rows
SELECT coalesce(d.device_id, 'host') AS "Device_id", coalesce((SELECT name FROM name WHERE hash = a.operator), '') AS "Name",
  repr(rounded(a.size / 1024.0, 3)) AS "Size(KB)", us(a.time_ns + :_wall) || char(9) AS "Allocation Time(us)",
  repr(rounded(coalesce(r.time_ns - a.time_ns, 0) / 1000.0, 3)) AS "Duration(us)",
  repr(rounded(a.total_allocated / 1024.0, 3)) AS "Allocation Total Allocated(KB)", repr(rounded(a.total_reserved / 1024.0, 3)) AS "Allocation Total Reserved(KB)",
  repr(rounded(coalesce(r.total_allocated, 0) / 1024.0, 3)) AS "Release Total Allocated(KB)",
  repr(rounded(coalesce(r.total_reserved, 0) / 1024.0, 3)) AS "Release Total Reserved(KB)", 'NPU:' || a.device_id AS "Device"
FROM (SELECT 1) LEFT JOIN device d CROSS JOIN op_memory o JOIN task_memory_info a ON a.rowid = o.allocated_row LEFT JOIN task_memory_info r ON r.rowid = o.released_row
ORDER BY d.device_id, o.rowid
