-- @file hccs_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE EXISTS (SELECT 1 FROM hccs_rate h WHERE h.device_id = scope.device_id)
-- @rows
SELECT 'Tx (MB/s)' AS "Mode", rounded(max(tx_mbs), 6) AS "Max", rounded(min(tx_mbs), 6) AS "Min", rounded(avg(tx_mbs), 6) AS "Average"
FROM hccs_rate WHERE device_id = :device_id
UNION ALL
SELECT 'Rx (MB/s)', rounded(max(rx_mbs), 6), rounded(min(rx_mbs), 6), rounded(avg(rx_mbs), 6) FROM hccs_rate WHERE device_id = :device_id
