-- @file ddr_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'ddr' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT 'Average' AS "Metric", rounded(avg(read_mbs), 6) AS "Read(MB/s)", rounded(avg(write_mbs), 6) AS "Write(MB/s)"
FROM ddr_rate WHERE device_id = :device_id
