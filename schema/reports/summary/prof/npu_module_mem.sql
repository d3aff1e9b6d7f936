-- @use prof_stamp
-- @each
SELECT time, _wall, _begin_ns, _old FROM stamp WHERE EXISTS (SELECT 1 FROM npu_module_mem WHERE time_ns >= _begin_ns)
-- @rows
SELECT s.device_id AS "Device_id", coalesce(w.name, CASE WHEN :_old THEN 'other' ELSE 'Unknown' END) AS "Component", us(m.time_ns + :_wall) || char(9) AS "Timestamp(us)",
  CASE WHEN m.total_bytes = 9223372036854775807 THEN CASE WHEN :_old THEN -1 ELSE 18014398509481983 END
    WHEN :_old AND m.total_bytes THEN repr(rounded(m.total_bytes / 1024.0, 3)) ELSE m.total_bytes / 1024 END AS "Total Reserved(KB)", 'NPU:' || s.device_id AS "Device"
FROM source s CROSS JOIN npu_module_mem m LEFT JOIN module w ON w.module = m.module_id
WHERE s.target = 'npu_module_mem' AND m.rowid BETWEEN s.first_row AND s.last_row AND m.time_ns >= :_begin_ns ORDER BY m.module_id, m.time_ns, s.device_id, m.rowid
