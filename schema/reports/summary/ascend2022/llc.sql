-- @family ascend2022
-- @style any
-- @file llc_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'llc' AND s.device_id = scope.device_id AND s.records > 0)
  AND EXISTS (SELECT 1 FROM setting c WHERE c.device_id = scope.device_id AND c.chip IS NOT 0)
-- @rows
SELECT mode AS "Mode", coalesce(l3t_id, 'Average') AS "Task", rounded(avg(hit_rate) * 100, 6) AS "Hit Rate(%)",
  rounded(avg(mbs), 6) AS "Throughput(MB/s)"
FROM (
  SELECT mode, NULL AS l3t_id, hit_rate, mbs FROM llc_rate WHERE device_id = :device_id
  UNION ALL SELECT mode, l3t_id, hit_rate, mbs FROM llc_rate WHERE device_id = :device_id
) GROUP BY mode, l3t_id ORDER BY l3t_id IS NOT NULL, l3t_id
