-- Samples of a device as curves. Each row has the layer, its track, and a value of one kind.
WITH counter_layer(sort_index, track, target) AS (
  VALUES (19, 'NPU MEM', 'npu_mem'), (20, 'DDR', 'ddr'), (21, 'HBM', 'hbm'), (22, 'LLC', 'llc'), (23, 'PCIe', 'pcie'), (24, 'QoS', 'stars_qos'),
    (25, 'SIO', 'sio'), (26, 'Acc PMU', 'acc_pmu'), (27, 'Stars Soc Info', 'inter_soc'), (28, 'Stars Chip Trans', 'chip_trans')
), counter_process AS (
  SELECT DISTINCT l.sort_index, l.track, s.device_id FROM counter_layer l JOIN source s ON s.target = l.target
  WHERE s.records > 0 AND NOT has_bit(:_off, l.sort_index)
), counter_curve(sort_index, device_id, time_ns, name, series, value) AS (
  SELECT 19, s.device_id, m.time_ns, CASE m.event WHEN 0 THEN 'APP' WHEN 1 THEN 'Device' ELSE CAST(m.event AS TEXT) END || p.column1, 'KB',
    trimmed(CASE p.column1 WHEN '/DDR' THEN m.ddr_bytes WHEN '/HBM' THEN m.hbm_bytes ELSE m.ddr_bytes + m.hbm_bytes END / 1024.0)
  FROM source s CROSS JOIN npu_mem m CROSS JOIN (VALUES ('/DDR'), ('/HBM'), ('/MEMORY')) p
  WHERE s.target = 'npu_mem' AND m.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT 20, device_id, time_ns, 'DDR ' || controller || CASE type WHEN 0 THEN '/Read' ELSE '/Write' END, CASE type WHEN 0 THEN 'Read(MB/s)' ELSE 'Write(MB/s)' END, trimmed(mbs) FROM ddr_rate
  UNION ALL
  SELECT 21, device_id, time_ns, 'HBM ' || hbm_id || CASE type WHEN 0 THEN '/Read' ELSE '/Write' END, CASE type WHEN 0 THEN 'Read(MB/s)' ELSE 'Write(MB/s)' END, trimmed(mbs) FROM hbm_rate
  UNION ALL
  SELECT 22, device_id, time_ns, 'LLC ' || l3t_id || ' ' || mode || p.column1, CASE p.column1 WHEN '/Hit Rate' THEN 'Hit Rate(%)' ELSE 'Throughput(MB/s)' END,
    trimmed(CASE p.column1 WHEN '/Hit Rate' THEN 100 * hit_rate ELSE mbs END)
  FROM llc_rate CROSS JOIN (VALUES ('/Hit Rate'), ('/Throughput')) p
  UNION ALL
  SELECT 23, s.device_id, d.host_monotonic_ns + x.stamp * 1000, p.column2, CASE WHEN p.column1 < 4 THEN 'Tx' WHEN p.column1 = 4 THEN 'us' ELSE 'Rx' END,
    CASE p.column1 WHEN 1 THEN tx_p_avg WHEN 2 THEN tx_np_avg WHEN 3 THEN tx_cpl_avg WHEN 4 THEN tx_latency_avg WHEN 5 THEN rx_p_avg WHEN 6 THEN rx_np_avg ELSE rx_cpl_avg END
  FROM source s CROSS JOIN pcie x LEFT JOIN device d ON d.device_id = s.device_id
  CROSS JOIN (VALUES (1, 'PCIe_post/Tx'), (2, 'PCIe_nonpost/Tx'), (3, 'PCIe_cpl/Tx'), (4, 'PCIe_nonpost_latency/Tx'), (5, 'PCIe_post/Rx'), (6, 'PCIe_nonpost/Rx'), (7, 'PCIe_cpl/Rx')) p
  WHERE s.target = 'pcie' AND x.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT 24, s.device_id, q.time_ns, 'Die ' || q.die_id || ' QoS ' || p.column1, 'value', pick(p.column1 - 1, bw1, bw2, bw3, bw4, bw5, bw6, bw7, bw8, bw9, bw10)
  FROM source s CROSS JOIN stars_qos q CROSS JOIN (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)) p
  WHERE s.target = 'stars_qos' AND q.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT 25, s.device_id, x.time_ns, 'SIO ' || x.acc_id || '/' || p.column2, 'value', pick(p.column1, req_rx, rsp_rx, snp_rx, dat_rx, req_tx, rsp_tx, snp_tx, dat_tx)
  FROM source s CROSS JOIN sio x
  CROSS JOIN (VALUES (0, 'req_rx'), (1, 'rsp_rx'), (2, 'snp_rx'), (3, 'dat_rx'), (4, 'req_tx'), (5, 'rsp_tx'), (6, 'snp_tx'), (7, 'dat_tx')) p
  WHERE s.target = 'sio' AND x.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT 26, s.device_id, x.time_ns, 'Accelerator ' || x.acc_id || '/' || p.column2, 'value', pick(p.column1, read_bandwidth, write_bandwidth, read_ost, write_ost)
  FROM source s CROSS JOIN acc_pmu x CROSS JOIN (VALUES (0, 'read_bandwidth'), (1, 'write_bandwidth'), (2, 'read_ost'), (3, 'write_ost')) p
  WHERE s.target = 'acc_pmu' AND x.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT 27, s.device_id, x.time_ns, p.column2, 'value', pick(p.column1, buffer_level, mata_level)
  FROM source s CROSS JOIN inter_soc x CROSS JOIN (VALUES (0, 'L2 Buffer Bw Level'), (1, 'Mata Bw Level')) p
  WHERE s.target = 'inter_soc' AND x.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT 28, s.device_id, x.time_ns, 'Event ' || x.event_id || '/' || p.column2, 'value', pick(p.column1, value1, value2)
  FROM source s CROSS JOIN chip_trans x CROSS JOIN (VALUES (0, 'rx, write'), (1, 'tx, read')) p
  WHERE s.target = 'chip_trans' AND x.rowid BETWEEN s.first_row AND s.last_row
)
