-- @family prof
-- @file npu_module_mem
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _wall, _begin_ns FROM stamp WHERE EXISTS (SELECT 1 FROM npu_module_mem WHERE time_ns >= _begin_ns) AND (SELECT level FROM temp.profile) GLOB 'Level[012]'
-- @rows
SELECT s.device_id AS "Device_id", coalesce(w.name, 'Unknown') AS "Component", us(m.time_ns + :_wall) || char(9) AS "Timestamp(us)",
  repr(CASE WHEN m.total_bytes = 9223372036854775807 THEN 18014398509481983 ELSE m.total_bytes / 1024 END / 1024.0) AS "Total Reserved(MB)", 'NPU:' || s.device_id AS "Device"
FROM source s CROSS JOIN npu_module_mem m LEFT JOIN module w ON w.module = m.module_id
WHERE s.target = 'npu_module_mem' AND m.rowid BETWEEN s.first_row AND s.last_row AND m.time_ns >= :_begin_ns ORDER BY m.module_id, m.time_ns, s.device_id, m.rowid
