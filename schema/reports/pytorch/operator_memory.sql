-- @family prof
-- @file operator_memory
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _text_wall FROM stamp WHERE EXISTS (SELECT 1 FROM temp.block) OR EXISTS (SELECT 1 FROM op_memory)
-- @rows
WITH mine AS (
  SELECT b.name, a.time_ns, r.time_ns AS released_ns, f.time_ns AS freed_ns, a.size, a.allocated, a.reserved, a.active, a.stream, a.device_index, coalesce(b.released_id, b.freed_id) AS last
  FROM temp.block b CROSS JOIN temp.allocation a ON a.id = b.allocated_id
  LEFT JOIN temp.allocation r ON r.id = b.released_id LEFT JOIN temp.allocation f ON f.id = b.freed_id
)
SELECT coalesce(word('framework_text', 'text', n.name), '') AS "Name", repr(n.size / 1024.0) AS "Size(KB)", us(n.time_ns) || char(9) AS "Allocation Time(us)",
  coalesce(us(n.released_ns) || char(9), '') AS "Release Time(us)",
  coalesce(us(n.freed_ns) || char(9), '') AS "Active Release Time(us)", coalesce(us(n.released_ns - n.time_ns) || char(9), '') AS "Duration(us)",
  coalesce(us(n.freed_ns - n.time_ns) || char(9), '') AS "Active Duration(us)", repr(n.allocated / 1048576.0) AS "Allocation Total Allocated(MB)",
  repr(n.reserved / 1048576.0) AS "Allocation Total Reserved(MB)", repr(n.active / 1048576.0) AS "Allocation Total Active(MB)",
  coalesce(repr(l.allocated / 1048576.0), '') AS "Release Total Allocated(MB)", coalesce(repr(l.reserved / 1048576.0), '') AS "Release Total Reserved(MB)",
  coalesce(repr(l.active / 1048576.0), '') AS "Release Total Active(MB)", n.stream AS "Stream Ptr",
  'NPU:' || CASE (SELECT count(*) FROM device) WHEN 1 THEN (SELECT device_id FROM device) ELSE n.device_index END AS "Device Type"
FROM mine n LEFT JOIN temp.allocation l ON l.id = n.last
UNION ALL
SELECT 'cann::' || coalesce((SELECT name FROM name WHERE hash = a.operator), ''), repr(rounded(a.size / 1024.0, 3)), us(a.time_ns + :_text_wall) || char(9),
  us(a.time_ns + :_text_wall + coalesce(r.time_ns - a.time_ns, 0)) || char(9), '', repr(rounded(coalesce(r.time_ns - a.time_ns, 0) / 1000.0, 3)), '',
  repr(rounded(a.total_allocated / 1024.0, 3) / 1024.0), repr(rounded(a.total_reserved / 1024.0, 3) / 1024.0), '', repr(rounded(coalesce(r.total_allocated, 0) / 1024.0, 3) / 1024.0),
  repr(rounded(coalesce(r.total_reserved, 0) / 1024.0, 3) / 1024.0), '', '', 'NPU:' || a.device_id
FROM (SELECT 1) LEFT JOIN device d CROSS JOIN op_memory o JOIN task_memory_info a ON a.rowid = o.allocated_row LEFT JOIN task_memory_info r ON r.rowid = o.released_row
WHERE (SELECT has_npu FROM temp.profile)
