-- @title Jobs
-- @each
SELECT 1 AS _any, 'Iterations of this generation cannot be chosen: exports hold all there is.' AS heading
-- @rows
SELECT nullif(json_extract(d.info, '$.jobInfo'), 'NA') AS "Job Info", d.device_id AS "Device ID", (SELECT job FROM temp.choice) AS "Dir Name",
  NULL AS "Collection Time", NULL AS "Model ID", NULL AS "Iteration Number", NULL AS "Top Time Iteration"
FROM device d ORDER BY d.device_id
