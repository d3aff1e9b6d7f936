-- @family ascend2022
-- @style any
-- @file pcie_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = 'pcie' AND s.device_id = scope.device_id AND s.records > 0)
-- @rows
SELECT mode AS "Mode", least AS "Min", most AS "Max", rounded(mean, 6) AS "Avg" FROM pcie_total WHERE device_id = :device_id ORDER BY place
