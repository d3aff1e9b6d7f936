-- @title Traffic
-- @needs memory links
-- @top 8
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM hbm_rate) OR EXISTS (SELECT 1 FROM ddr_rate) OR EXISTS (SELECT 1 FROM llc_rate) OR EXISTS (SELECT 1 FROM hccs_rate)
  OR EXISTS (SELECT 1 FROM pcie_sample WHERE tx_p_max >= tx_p_min) OR EXISTS (SELECT 1 FROM port_rate) OR EXISTS (SELECT 1 FROM sio_die_rate)
  OR EXISTS (SELECT 1 FROM qos_sample WHERE name IS NOT NULL)
-- @rows
WITH said(device_id, place, what, samples, mean, most, unit) AS (
  SELECT device_id, 0, 'HBM ' || hbm_id || iif(type = 0, ' read', ' written'), count(*), avg(mbs), max(mbs), 'MB/s' FROM hbm_rate GROUP BY device_id, hbm_id, type <> 0
  UNION ALL SELECT device_id, 1, p.column1, count(*), avg(pick(p.column2, read_mbs, write_mbs)), max(pick(p.column2, read_mbs, write_mbs)), 'MB/s'
  FROM ddr_rate CROSS JOIN (VALUES ('DDR read', 0), ('DDR written', 1)) p GROUP BY device_id, p.column2
  UNION ALL SELECT device_id, 2, 'Cache ' || l3t_id, count(*), avg(mbs), max(mbs), 'MB/s' FROM llc_rate GROUP BY device_id, l3t_id
  UNION ALL SELECT device_id, 3, 'Cache ' || l3t_id || ' hits', count(*), 100 * avg(hit_rate), 100 * max(hit_rate), '%' FROM llc_rate GROUP BY device_id, l3t_id
  UNION ALL SELECT device_id, 4, p.column1, count(*), avg(pick(p.column2, rx_mbs, tx_mbs)), max(pick(p.column2, rx_mbs, tx_mbs)), 'MB/s'
  FROM hccs_rate CROSS JOIN (VALUES ('HCCS received', 0), ('HCCS sent', 1)) p GROUP BY device_id, p.column2
  UNION ALL SELECT device_id, 5, p.column1, count(*), avg(pick(p.column2, rx_p_avg, tx_p_avg)) * 1e6 / 1048576, max(pick(p.column2, rx_p_avg, tx_p_avg)) * 1e6 / 1048576, 'MB/s'
  FROM pcie_sample CROSS JOIN (VALUES ('PCIe posted, received', 0), ('PCIe posted, sent', 1)) p WHERE tx_p_max >= tx_p_min GROUP BY device_id, p.column2
  UNION ALL SELECT device_id, 6, upper(what) || ' ' || func_id || p.column1, count(*), 100 * avg(pick(p.column2, rx_share, tx_share)), 100 * max(pick(p.column2, rx_share, tx_share)), '%'
  FROM port_rate CROSS JOIN (VALUES (' received', 0), (' sent', 1)) p GROUP BY device_id, what, func_id, p.column2
  UNION ALL SELECT device_id, 7, 'SIO ' || die || p.column1, count(*), avg(pick(p.column2, dat_rx, dat_tx)), max(pick(p.column2, dat_rx, dat_tx)), 'MB/s'
  FROM sio_die_rate CROSS JOIN (VALUES (' received', 0), (' sent', 1)) p GROUP BY device_id, die, p.column2
  UNION ALL SELECT device_id, 8, 'QoS ' || name, count(*), avg(mbs), max(mbs), 'MB/s' FROM qos_sample WHERE name IS NOT NULL GROUP BY device_id, name
)
SELECT device_id AS "Device", what AS "What", samples AS "Samples", rounded(mean, 2) AS "Mean", rounded(most, 2) AS "Most", unit AS "Unit" FROM said ORDER BY device_id, place, what
