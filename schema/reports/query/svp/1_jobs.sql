-- @family svp
-- @style any
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
  SELECT s.device_id, s.model_id, s.model,
    (SELECT count(DISTINCT i.current_pic) FROM inference i
     WHERE i.device_id = s.device_id AND i.model_id IS s.model_id AND i.model IS s.model) AS iterations,
    (SELECT total_int(i.ticks) FROM inference i
     WHERE i.device_id = s.device_id AND i.model_id IS s.model_id AND i.model IS s.model) AS ticks
  FROM source s WHERE s.state = 'raw' AND s.model_id IS NOT NULL AND s.device_id IS NOT NULL
  GROUP BY s.device_id, s.model_id, s.model
) m ON m.device_id = d.device_id
ORDER BY d.device_id, m.model_id, m.model
