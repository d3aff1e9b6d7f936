-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM host_network_use)
-- @rows
SELECT 'host' AS "Device_id", (SELECT total(json_extract(e.value, '$.speed') * 125000 / 1024.0) FROM control c JOIN json_each(c.text, '$.netCard') e
    WHERE c.name = 'info.json' AND c.device_id IS NULL AND json_type(e.value, '$.speed') IN ('integer', 'real') AND json_extract(e.value, '$.speed') <> -1) AS "Netcard Speed(KB/s)",
  repr(max(kbs)) AS "Peak Used Speed(KB/s)",
  repr((SELECT kbs FROM host_network_use WHERE kbs > 0 ORDER BY kbs
    LIMIT 1 OFFSET (SELECT CAST((count(*) - 1) * 0.98 + 0.999999 AS INTEGER) FROM host_network_use WHERE kbs > 0)) / 0.8) AS "Recommend Speed(KB/s)"
FROM host_network_use
