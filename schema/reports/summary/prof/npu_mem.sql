-- @family prof
-- @style any
-- @file npu_mem_{time}
-- @use prof_stamp
-- @each
SELECT time, _wall FROM stamp WHERE EXISTS (SELECT 1 FROM npu_mem)
-- @rows
SELECT s.device_id AS "Device_id", CASE m.event WHEN 0 THEN 'app' WHEN 1 THEN 'device' ELSE CAST(m.event AS TEXT) END AS "event",
  trimmed(m.ddr_bytes / 1024.0) AS "ddr(KB)", trimmed(m.hbm_bytes / 1024.0) AS "hbm(KB)",
  trimmed((m.ddr_bytes + m.hbm_bytes) / 1024.0) AS "memory(KB)", us(m.time_ns + :_wall) || char(9) AS "timestamp(us)"
FROM source s CROSS JOIN npu_mem m WHERE s.target = 'npu_mem' AND m.rowid BETWEEN s.first_row AND s.last_row
