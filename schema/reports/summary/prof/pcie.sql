-- @family prof
-- @style any
-- @file pcie_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM pcie)
-- @rows
WITH sample AS (
  SELECT s.device_id, p.* FROM source s CROSS JOIN pcie p WHERE s.target = 'pcie' AND p.rowid BETWEEN s.first_row AND s.last_row
), line AS (
  SELECT device_id, 1 AS place, 'Tx_p_avg(MB/s)' AS mode, min(tx_p_min) AS least, max(tx_p_max) AS most, avg(tx_p_avg) AS mean FROM sample GROUP BY device_id
  UNION ALL SELECT device_id, 2, 'Tx_np_avg(MB/s)', min(tx_np_min), max(tx_np_max), avg(tx_np_avg) FROM sample GROUP BY device_id
  UNION ALL SELECT device_id, 3, 'Tx_cpl_avg(MB/s)', min(tx_cpl_min), max(tx_cpl_max), avg(tx_cpl_avg) FROM sample GROUP BY device_id
  UNION ALL SELECT device_id, 4, 'Tx_latency_avg(us)', min(tx_latency_min), max(tx_latency_max), avg(tx_latency_avg) FROM sample GROUP BY device_id
  UNION ALL SELECT device_id, 5, 'Rx_p_avg(MB/s)', min(rx_p_min), max(rx_p_max), avg(rx_p_avg) FROM sample GROUP BY device_id
  UNION ALL SELECT device_id, 6, 'Rx_np_avg(MB/s)', min(rx_np_min), max(rx_np_max), avg(rx_np_avg) FROM sample GROUP BY device_id
  UNION ALL SELECT device_id, 7, 'Rx_cpl_avg(MB/s)', min(rx_cpl_min), max(rx_cpl_max), avg(rx_cpl_avg) FROM sample GROUP BY device_id
)
SELECT device_id AS "Device_id", mode AS "Mode", least AS "Min", most AS "Max", trimmed(mean) AS "Avg" FROM line ORDER BY device_id, place
