-- @title Jobs
-- @each
SELECT 1 AS _any, CASE WHEN NOT EXISTS (SELECT 1 FROM step)
  THEN 'No iterations of a model were recorded: exports hold all there is.' END AS heading
-- @rows
-- the host counts when there is no device
SELECT nullif(json_extract(i.text, '$.jobInfo'), 'NA') AS "Job Info", coalesce(p.device_id, 'host') AS "Device ID",
  coalesce('device_' || p.device_id, 'host') AS "Dir Name",
  (SELECT nullif(json_extract(text, '$.collectionDateBegin'), '') FROM control c
   WHERE c.name = 'start_info' AND (c.device_id IS p.device_id OR c.device_id IS NULL)
   ORDER BY c.device_id IS NULL LIMIT 1) AS "Collection Time",
  m.model_id AS "Model ID", m.iterations AS "Iteration Number", m.top AS "Top Time Iteration",
  json_extract(i.text, '$.rank_id') AS "Rank ID"
FROM (SELECT device_id FROM device UNION ALL SELECT NULL WHERE NOT EXISTS (SELECT 1 FROM device)) p
LEFT JOIN control i ON i.name = 'info.json' AND i.device_id IS p.device_id
LEFT JOIN (
  SELECT device_id, model_id, count(*) AS iterations, group_concat(index_id) FILTER (WHERE place <= 5) AS top
  FROM (SELECT *, row_number() OVER (PARTITION BY device_id, model_id ORDER BY end_ns - start_ns DESC, index_id) AS place FROM step ORDER BY device_id, model_id, place)
  GROUP BY device_id, model_id
) m ON m.device_id = p.device_id
ORDER BY p.device_id, m.model_id
