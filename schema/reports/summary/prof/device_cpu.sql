-- @file cpu_usage_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM device_cpu WHERE cpu IS NOT NULL)
-- @rows
WITH line AS (
  SELECT s.device_id, x.*, CASE WHEN s.device_id IS NULL THEN 'host' WHEN ',' || json_extract(c.text, '$.DeviceInfo[0].ctrl_cpu') || ',' LIKE '%,' || x.cpu || ',%' THEN 'ctrlcpu'
      WHEN ',' || json_extract(c.text, '$.DeviceInfo[0].ai_cpu') || ',' LIKE '%,' || x.cpu || ',%' THEN 'aicpu' END AS kind
  FROM source s CROSS JOIN device_cpu x LEFT JOIN control c ON c.name = 'info.json' AND c.device_id = s.device_id
  WHERE s.target = 'device_cpu' AND x.rowid BETWEEN s.first_row AND s.last_row AND (x.cpu IS NOT NULL OR s.device_id IS NULL AND x.user IS NOT NULL)
), whole AS (
  SELECT device_id, kind, total(user) AS user, total(system) AS system, total(iowait) AS iowait, total(irq) AS irq, total(softirq) AS softirq, total(idle) AS idle,
    nullif(total(user + nice + system + idle + iowait + irq + softirq + steal + guest + guest_nice), 0) AS ticks
  FROM line WHERE kind IS NOT NULL GROUP BY device_id, kind
)
SELECT coalesce(device_id, 'host') AS "Device_id", kind AS "Cpu Type", repr(coalesce(rounded(user / ticks * 100, 3), 0.0)) AS "User(%)",
  repr(coalesce(rounded(system / ticks * 100, 3), 0.0)) AS "Sys(%)",
  repr(coalesce(rounded(iowait / ticks * 100, 3), 0.0)) AS "IoWait(%)", repr(coalesce(rounded(irq / ticks * 100, 3), 0.0)) AS "Irq(%)",
  repr(coalesce(rounded(softirq / ticks * 100, 3), 0.0)) AS "Soft(%)", repr(coalesce(rounded(idle / ticks * 100, 3), 0.0)) AS "Idle(%)"
FROM whole ORDER BY device_id IS NULL, device_id, kind
