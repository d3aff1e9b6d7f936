-- @title Jobs
-- @each
SELECT 1 AS _any, CASE WHEN NOT EXISTS (SELECT 1 FROM step)
  THEN 'No iterations of a model were recorded: exports hold all there is.' END AS heading
-- @rows
WITH model AS (
  SELECT device_id, model_id, count(*) AS iterations,
    (SELECT group_concat(iteration) FROM (SELECT iteration FROM step x WHERE x.device_id = s.device_id AND x.model_id = s.model_id
       ORDER BY end_counter - start_counter DESC, iteration LIMIT 5)) AS top
  FROM step s GROUP BY device_id, model_id
  UNION ALL
  SELECT DISTINCT o.device_id, o.model_id, NULL, NULL FROM op o
  WHERE NOT EXISTS (SELECT 1 FROM step s WHERE s.device_id = o.device_id AND s.model_id = o.model_id)
)
SELECT nullif(json_extract(i.text, '$.jobInfo'), 'NA') AS "Job Info", d.device_id AS "Device ID", (SELECT job FROM temp.choice) AS "Dir Name",
  (SELECT json_extract(text, '$.collectionDateBegin') FROM control c
   WHERE c.name = 'start_info' AND (c.device_id = d.device_id OR c.device_id IS NULL)
   ORDER BY c.device_id IS NULL LIMIT 1) AS "Collection Time",
  m.model_id AS "Model ID", m.iterations AS "Iteration Number", m.top AS "Top Time Iteration"
FROM device d LEFT JOIN control i ON i.name = 'info.json' AND i.device_id = d.device_id LEFT JOIN model m ON m.device_id = d.device_id
ORDER BY d.device_id, m.model_id
