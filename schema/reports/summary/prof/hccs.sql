-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM hccs_rate)
-- @rows
SELECT device_id AS "Device_id", mode AS "Mode", repr(round(most, 3)) AS "Max", repr(round(least, 3)) AS "Min", repr(round(mean, 3)) AS "Average"
FROM (
  SELECT device_id, 0 AS place, 'Tx (MB/s)' AS mode, max(tx_mbs) AS most, min(tx_mbs) AS least, avg(tx_mbs) AS mean FROM hccs_rate GROUP BY device_id
  UNION ALL SELECT device_id, 1, 'Rx (MB/s)', max(rx_mbs), min(rx_mbs), avg(rx_mbs) FROM hccs_rate GROUP BY device_id
) ORDER BY device_id, place
