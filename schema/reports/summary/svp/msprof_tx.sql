-- @file msprof_tx_{device_id}_{model_id}_{iter}
-- @each
SELECT s.device_id, s.model_id, 1 AS iter FROM source s CROSS JOIN device d ON d.device_id = s.device_id
WHERE s.target = 'api_call' AND d.collector = 'host'
  AND EXISTS (SELECT 1 FROM api_call c WHERE c.rowid BETWEEN s.first_row AND s.last_row AND c.type = 5)
GROUP BY s.device_id, s.model_id
-- @rows
SELECT c.pid AS "pid", c.tid AS "tid", decimal(c.start_ns, 1000, 3) AS "Start_time(us)", decimal(c.start_ns + c.dur_ns, 1000, 3) AS "End_time(us)",
  c.name AS "message", c.detail AS "domain"
FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row AND s.device_id = :device_id AND s.model_id IS :model_id AND c.type = 5
ORDER BY c.start_ns, c.rowid
