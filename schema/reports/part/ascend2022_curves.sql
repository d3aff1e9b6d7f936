-- Curves of memories and links, in us of the host. place is the number of their track in a trace of all, :_place the one to read (NULL: all).
-- a to d are the values; kind tells their names.
WITH clock AS (
  SELECT device_id, pid, chip, (host_ns / 1000000000.0 - device_ns / 1000000000.0) * 1000000000.0 AS shift FROM setting WHERE device_id = :device_id
), sample(place, kind, name, stamp, a, b, c, d) AS (
  SELECT 8, p.column1 || '(MB/s)', 'HBM ' || h.hbm_id || '/' || p.column1, h.stamp_ns, h.mbs, NULL, NULL, NULL
  FROM hbm_rate h JOIN (VALUES ('Read', 0), ('Write', 1)) p ON p.column2 = h.is_write
  WHERE coalesce(:_place, 8) = 8 AND h.device_id = :device_id AND h.hbm_id < 4
  UNION ALL
  -- the reference writes what was read twice
  SELECT 9, p.column1 || '(MB/s)', 'DDR/' || p.column1, d.stamp_ns, CASE p.column1 WHEN 'Read' THEN d.read_mbs ELSE d.write_mbs END, NULL, NULL, NULL
  FROM ddr_rate d CROSS JOIN (VALUES ('Read'), ('Read'), ('Write')) p WHERE coalesce(:_place, 9) = 9 AND d.device_id = :device_id
  UNION ALL
  SELECT 16, p.column2, 'LLC ' || l.l3t_id || CASE l.mode WHEN 'read' THEN ' Read/' ELSE ' Write/' END || p.column1, l.stamp_ns,
    CASE p.column1 WHEN 'Hit Rate' THEN l.hit_rate ELSE l.mbs END, NULL, NULL, NULL
  FROM llc_rate l CROSS JOIN (VALUES ('Throughput', 'Throughput(MB/s)'), ('Hit Rate', 'Hit Rate(%)')) p
  WHERE coalesce(:_place, 16) = 16 AND l.device_id = :device_id
  UNION ALL
  SELECT 10, 'link', p.column2, x.stamp, 1.0 * pick(p.column1, tx_p_avg, tx_np_avg, tx_cpl_avg, tx_latency_avg),
    CASE p.column1 WHEN 3 THEN 0 ELSE 1.0 * pick(p.column1, rx_p_avg, rx_np_avg, rx_cpl_avg) END, NULL, NULL
  FROM source s CROSS JOIN pcie x CROSS JOIN (VALUES (0, 'PCIe_post'), (1, 'PCIe_nonpost'), (2, 'PCIe_cpl'), (3, 'PCIe_nonpost_latency')) p
  WHERE coalesce(:_place, 10) = 10 AND s.target = 'pcie' AND s.device_id = :device_id AND x.rowid BETWEEN s.first_row AND s.last_row AND tx_p_max >= tx_p_min
  UNION ALL
  SELECT 11, p.column1 || '(MB/s)', p.column1, h.stamp_ns, CASE p.column1 WHEN 'Tx' THEN tx_mbs ELSE rx_mbs END, NULL, NULL, NULL
  FROM hccs_rate h CROSS JOIN (VALUES ('Tx'), ('Rx')) p WHERE coalesce(:_place, 11) = 11 AND h.device_id = :device_id
  UNION ALL
  SELECT x.place, p.column1, 'Port ' || coalesce(x.func_id, 0) || '/' || p.column1, x.stamp_ns,
    rounded(CASE p.column1 WHEN 'Tx' THEN tx_byte ELSE rx_byte END * 8.0 / (x.bandwidth * 1048576.0), 3), 1.0 * CASE p.column1 WHEN 'Tx' THEN tx_packet ELSE rx_packet END,
    CASE p.column1 WHEN 'Tx' THEN 1.0 * tx_errors / nullif(tx_packets, 0) ELSE 1.0 * rx_errors / nullif(rx_packets, 0) END,
    CASE p.column1 WHEN 'Tx' THEN 1.0 * tx_dropped / nullif(tx_packets, 0) ELSE 1.0 * rx_dropped / nullif(rx_packets, 0) END
  FROM port_sample x CROSS JOIN (VALUES ('Tx'), ('Rx')) p
  WHERE coalesce(:_place, x.place) = x.place AND x.device_id = :device_id AND x.bandwidth <> 0
), curve AS (
  SELECT s.*, c.pid, CAST(s.stamp + c.shift AS INTEGER) / 1000.0 AS ts FROM sample s CROSS JOIN clock c WHERE c.shift IS NOT NULL
)
