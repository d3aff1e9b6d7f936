-- @file hbm_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'hbm' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
-- each memory has the mean of all of them, like in the reference
WITH mean AS (
  SELECT rounded(avg(mbs) FILTER (WHERE NOT is_write), 6) AS read, rounded(avg(mbs) FILTER (WHERE is_write), 6) AS write
  FROM hbm_rate WHERE device_id = :device_id
)
SELECT 'Average' AS "Metric", coalesce(read, 0) AS "Read(MB/s)", coalesce(write, 0) AS "Write(MB/s)" FROM mean
UNION ALL
SELECT hbm_id, coalesce(read, ''), coalesce(write, '') FROM (SELECT DISTINCT hbm_id FROM hbm_rate WHERE device_id = :device_id ORDER BY hbm_id) CROSS JOIN mean
