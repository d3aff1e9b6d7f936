-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM pcie)
-- @rows
WITH sample AS (
  SELECT p.*, coalesce(w.pcie_last, 0) AS pcie_last, row_number() OVER (PARTITION BY device_id ORDER BY stamp DESC, p.row) AS n
  FROM pcie_sample p LEFT JOIN setting c USING (device_id) LEFT JOIN sample_chip w USING (chip)
), taken AS (
  SELECT * FROM sample WHERE CASE WHEN pcie_last THEN n = 1 ELSE tx_p_max >= tx_p_min END
), line AS (
  SELECT device_id, 1 AS place, 'Tx_p_avg(MB/s)' AS mode, avg(tx_p_min) AS least, avg(tx_p_max) AS most, avg(tx_p_avg) AS mean, 1e6 / 1024 / 1024 AS factor FROM taken GROUP BY device_id
  UNION ALL SELECT device_id, 2 AS place, 'Tx_np_avg(MB/s)' AS mode, avg(tx_np_min) AS least, avg(tx_np_max) AS most, avg(tx_np_avg) AS mean, 1e6 / 1024 / 1024 AS factor FROM taken GROUP BY device_id
  UNION ALL SELECT device_id, 3 AS place, 'Tx_cpl_avg(MB/s)' AS mode, avg(tx_cpl_min) AS least, avg(tx_cpl_max) AS most, avg(tx_cpl_avg) AS mean, 1e6 / 1024 / 1024 AS factor
    FROM taken GROUP BY device_id
  UNION ALL SELECT device_id, 4 AS place, 'Tx_latency_avg(us)' AS mode, avg(tx_latency_min) AS least, avg(tx_latency_max) AS most, avg(tx_latency_avg) AS mean, NULL AS factor
    FROM taken GROUP BY device_id
  UNION ALL SELECT device_id, 5 AS place, 'Rx_p_avg(MB/s)' AS mode, avg(rx_p_min) AS least, avg(rx_p_max) AS most, avg(rx_p_avg) AS mean, 1e6 / 1024 / 1024 AS factor FROM taken GROUP BY device_id
  UNION ALL SELECT device_id, 6 AS place, 'Rx_np_avg(MB/s)' AS mode, avg(rx_np_min) AS least, avg(rx_np_max) AS most, avg(rx_np_avg) AS mean, 1e6 / 1024 / 1024 AS factor FROM taken GROUP BY device_id
  UNION ALL SELECT device_id, 7 AS place, 'Rx_cpl_avg(MB/s)' AS mode, avg(rx_cpl_min) AS least, avg(rx_cpl_max) AS most, avg(rx_cpl_avg) AS mean, 1e6 / 1024 / 1024 AS factor
    FROM taken GROUP BY device_id
)
SELECT device_id AS "Device_id", mode AS "Mode",
  CASE least WHEN 1048575 THEN '0.0' ELSE repr(rounded(CASE place WHEN 4 THEN rounded(least, 6) / 1000.0 ELSE rounded(least, 6) * factor END, 3)) END AS "Min",
  repr(rounded(CASE place WHEN 4 THEN rounded(most, 6) / 1000.0 ELSE rounded(most, 6) * factor END, 3)) AS "Max",
  repr(rounded(CASE place WHEN 4 THEN rounded(mean, 6) / 1000.0 ELSE rounded(mean, 6) * factor END, 3)) AS "Avg"
FROM line ORDER BY device_id, place
