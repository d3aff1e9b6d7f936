-- @family ascend2022
-- @style any
-- @file hbm_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'hbm' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT CASE WHEN hbm_id IS NULL THEN 'Average' ELSE 'hbm' || hbm_id END AS "Metric",
  rounded(avg(mbs) FILTER (WHERE type = 0), 6) AS "Read(MB/s)", rounded(avg(mbs) FILTER (WHERE type <> 0), 6) AS "Write(MB/s)"
FROM (
  SELECT NULL AS hbm_id, type, mbs FROM hbm_rate WHERE device_id = :device_id
  UNION ALL SELECT hbm_id, type, mbs FROM hbm_rate WHERE device_id = :device_id
) GROUP BY hbm_id ORDER BY hbm_id
