-- @family prof
-- @style any
-- @file memory_record_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM task_memory_info)
-- @rows
SELECT 'host' AS "Device_id", CASE m.level WHEN 10000 THEN 'GE' WHEN 25000 THEN 'PTA' ELSE coalesce(l.track, CAST(m.level AS TEXT)) END AS "Component",
  us(m.time_ns + :_wall) || char(9) AS "Timestamp(us)", trimmed(m.total_allocated / 1024.0) AS "Total Allocated(KB)",
  trimmed(m.total_reserved / 1024.0) AS "Total Reserved(KB)", 'NPU:' || m.device_id AS "Device"
FROM task_memory_info m LEFT JOIN level l USING (level) ORDER BY m.time_ns, m.rowid
