-- @family prof
-- @style any
-- @title Jobs
-- @each
SELECT 1 AS _any
-- @use prof_steps
-- @rows
-- the host counts where there is no device
SELECT (SELECT json_extract(text, '$.jobInfo') FROM control c WHERE c.name = 'info.json' AND c.device_id IS p.device_id) AS "Job Info",
  p.device_id AS "Device ID", (SELECT job FROM temp.choice) AS "Dir Name",
  (SELECT json_extract(text, '$.collectionDateBegin') FROM control c
   WHERE c.name = 'start_info' AND (c.device_id IS p.device_id OR c.device_id IS NULL)
   ORDER BY c.device_id IS NULL LIMIT 1) AS "Collection Time",
  m.model_id AS "Model ID", m.iterations AS "Iteration Number",
  (SELECT group_concat(iteration) FROM (SELECT iteration FROM step x WHERE x.device_id = m.device_id AND x.model_id IS m.model_id
     ORDER BY end_ns - start_ns DESC, iteration LIMIT 5)) AS "Top Time Iteration"
FROM (SELECT device_id FROM device UNION ALL SELECT NULL WHERE NOT EXISTS (SELECT 1 FROM device)) p
LEFT JOIN (SELECT device_id, model_id, count(*) AS iterations FROM step GROUP BY device_id, model_id) m ON m.device_id = p.device_id
ORDER BY p.device_id, m.model_id
