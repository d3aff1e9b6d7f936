-- @title Jobs
-- @each
SELECT 1 AS _any
-- @rows
SELECT NULL AS "Job Info", d.device_id AS "Device ID", (SELECT job FROM temp.choice) AS "Dir Name",
  (SELECT strftime('%Y-%m-%d %H:%M:%S', max(mtime_ns) / 1000000000, 'unixepoch', 'localtime') FROM source WHERE state = 'raw')
    AS "Collection Time", m.model_id AS "Model ID", m.model AS "Model Name",
  m.iterations AS "Iteration Number", decimal(m.ticks * p.cycles, d.frequency_mhz * p.ticks, 2) AS "Time(us)",
  (SELECT label FROM temp.choice) AS "Label"
FROM device d CROSS JOIN parts p LEFT JOIN (
  SELECT s.device_id, s.model_id, s.model, coalesce(i.iterations, 0) AS iterations, i.ticks
  FROM (SELECT DISTINCT device_id, model_id, model FROM source WHERE state = 'raw' AND model_id IS NOT NULL AND device_id IS NOT NULL) s
  LEFT JOIN (SELECT device_id, model_id, model, count(DISTINCT current_pic) AS iterations, total_int(ticks) AS ticks FROM inference GROUP BY device_id, model_id, model) i
    ON i.device_id = s.device_id AND i.model_id = s.model_id AND i.model IS s.model
) m ON m.device_id = d.device_id
ORDER BY d.device_id, m.model_id, m.model
