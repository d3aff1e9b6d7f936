-- Samples of a device as curves. Each row has the layer, its process, a name, and up to four values of a series.
WITH counter_kind(sort_index, track, place) AS (
  VALUES (15, 'AI Core Freq', NULL), (17, 'NPU MEM', 7), (18, 'DDR', 1), (19, 'Acc PMU', 11), (20, 'HCCS', 3), (21, 'NIC', 4), (22, 'RoCE', 5), (23, 'PCIe', 2), (24, 'HBM', 0),
    (25, 'Stars Soc Info', 9), (26, 'Stars Chip Trans', 10), (27, 'LLC', 6), (28, 'SIO', 12), (29, 'QoS', 13), (30, 'AI Core Utilization', 8), (33, 'Ub', NULL)
), counter_layer AS MATERIALIZED (
  SELECT sort_index, track, CASE WHEN :_layers IS NULL OR place IS NULL THEN sort_index
    ELSE 20 + (SELECT count(*) FROM numbers(13) WHERE value < place AND has_bit(:_layers, value)) END AS shown, :_layers IS NOT NULL AND place IS NOT NULL AS moves
  FROM counter_kind
), acc AS (
  SELECT s.device_id, x.time_ns, max(read_bandwidth) AS read_bandwidth, max(read_ost) AS read_ost, max(write_bandwidth) AS write_bandwidth, max(write_ost) AS write_ost
  FROM source s JOIN stars_log_chip USING (device_id) CROSS JOIN acc_pmu x WHERE s.target = 'acc_pmu' AND x.rowid BETWEEN s.first_row AND s.last_row GROUP BY s.device_id, x.time_ns
), trans AS (
  SELECT s.device_id, c.chip, x.* FROM source s JOIN stars_log_chip USING (device_id) CROSS JOIN chip_trans x LEFT JOIN setting c ON c.device_id = s.device_id
  WHERE s.target = 'chip_trans' AND x.rowid BETWEEN s.first_row AND s.last_row
), counter_curve(sort_index, device_id, time_ns, tid, name, series, v1, v2, v3, v4) AS (
  SELECT 17, device_id, time_ns, 0, CASE event WHEN 0 THEN 'APP' ELSE 'Device' END || p.column1, 'KB',
    CASE p.column1 WHEN '/DDR' THEN ddr_bytes WHEN '/HBM' THEN hbm_bytes ELSE ddr_bytes + hbm_bytes END / 1024.0, NULL, NULL, NULL
  FROM npu_mem_sample CROSS JOIN (VALUES ('/DDR'), ('/HBM'), ('/Memory')) p WHERE event IN (0, 1)
  UNION ALL
  -- the frequency that the power unit samples, of each die: of chips of version 6, and in the older style; numbers of samples are swapped in pairs
  SELECT 15, s.device_id, x.time_ns, CASE WHEN :_old_trace THEN x.die_id ELSE 0 END, 'AI Core Freq Die ' || x.die_id, CASE WHEN :_old_trace THEN 'value' ELSE 'MHz' END,
    number_at(x.samples, 22, 2), NULL, NULL, NULL
  FROM source s JOIN stars_log_chip USING (device_id) CROSS JOIN low_power x LEFT JOIN setting c ON c.device_id = s.device_id
  WHERE s.target = 'low_power' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.die_id < 2 AND (:_old_trace OR c.chip IN (15, 16))
  UNION ALL
  SELECT 18, device_id, time_ns, 0, 'DDR/' || p.column1, p.column1, CASE p.column1 WHEN 'Read' THEN read_mbs ELSE write_mbs END, NULL, NULL, NULL
  FROM ddr_rate CROSS JOIN (VALUES ('Read'), ('Read'), ('Write')) p -- as often as the reference gives them
  UNION ALL
  SELECT 19, device_id, time_ns, 0, p.column2, 'value', pick(p.column1, read_bandwidth, read_ost, write_bandwidth, write_ost), NULL, NULL, NULL
  FROM acc CROSS JOIN (VALUES (0, 'read_bandwidth'), (1, 'read_ost'), (2, 'write_bandwidth'), (3, 'write_ost')) p
  UNION ALL
  SELECT 20, device_id, time_ns, 0, p.column1, p.column1, CASE p.column1 WHEN 'Rx' THEN rx_mbs ELSE tx_mbs END, NULL, NULL, NULL
  FROM hccs_rate CROSS JOIN (VALUES ('Rx'), ('Tx')) p
  UNION ALL
  SELECT CASE what WHEN 'nic' THEN 21 ELSE 22 END, device_id, time_ns, 0, 'Port ' || func_id || '/' || p.column1, 'Port ' || p.column1,
    CASE p.column1 WHEN 'Rx' THEN rx_dropped ELSE tx_dropped END, CASE p.column1 WHEN 'Rx' THEN rx_errors ELSE tx_errors END,
    CASE p.column1 WHEN 'Rx' THEN rx_packets ELSE tx_packets END, CASE p.column1 WHEN 'Rx' THEN rx_share ELSE tx_share END
  FROM port_rate CROSS JOIN (VALUES ('Rx'), ('Tx')) p
  UNION ALL
  SELECT 23, device_id, time_ns, 0, p.column2, 'link', pick(p.column1, tx_cpl_avg, tx_np_avg, tx_latency_avg, tx_p_avg) * f, pick(p.column1, rx_cpl_avg, rx_np_avg, 0, rx_p_avg) * f, NULL, NULL
  FROM (SELECT *, 1e6 / 1048576 AS f FROM pcie_sample WHERE tx_p_max >= tx_p_min) CROSS JOIN (VALUES (0, 'PCIe_cpl'), (1, 'PCIe_nonpost'), (3, 'PCIe_post')) p
  UNION ALL
  SELECT 23, device_id, time_ns, 0, 'PCIe_nonpost_latency', 'link', tx_latency_avg / 1000.0, 0, NULL, NULL FROM pcie_sample WHERE tx_p_max >= tx_p_min
  UNION ALL
  SELECT 24, device_id, time_ns, 0, 'HBM ' || hbm_id || CASE type WHEN 0 THEN '/Read' ELSE '/Write' END, CASE type WHEN 0 THEN 'Read' ELSE 'Write' END, mbs, NULL, NULL, NULL FROM hbm_rate
  UNION ALL
  SELECT 25, s.device_id, x.time_ns, 0, p.column1, p.column1, CASE p.column1 WHEN 'Mata Bw Level' THEN mata_level ELSE buffer_level END, NULL, NULL, NULL
  FROM source s JOIN stars_log_chip USING (device_id) CROSS JOIN inter_soc x CROSS JOIN (VALUES ('L2 Buffer Bw Level'), ('Mata Bw Level')) p
  WHERE s.target = 'inter_soc' AND x.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT 26, device_id, time_ns, 111111, p.column1, p.column1, event_id, CASE p.column1 WHEN 'PA Link Rx' THEN value1 ELSE value2 END, NULL, NULL
  FROM trans CROSS JOIN (VALUES ('PA Link Rx'), ('PA Link Tx')) p WHERE chip NOT IN (15, 16) AND die_id = 63
  UNION ALL
  SELECT 26, device_id, time_ns, 100010, p.column1, CASE WHEN chip IN (15, 16) THEN 'U-Die' ELSE p.column1 END,
    CASE WHEN chip IN (15, 16) THEN die_id ELSE event_id END, CASE p.column1 WHEN 'PCIE Read Bandwidth' THEN value2 ELSE value1 END, NULL, NULL
  FROM trans CROSS JOIN (VALUES ('PCIE Read Bandwidth'), ('PCIE Write Bandwidth')) p
  WHERE chip IN (15, 16) AND value1 <> 9223372036854775807 AND value2 <> 9223372036854775807
    OR chip NOT IN (15, 16) AND die_id = 34 AND EXISTS (SELECT 1 FROM trans t WHERE t.die_id = 63 AND t.time_ns >= :_begin_ns)
  UNION ALL
  SELECT 27, r.device_id, r.time_ns, 0, 'LLC ' || r.l3t_id || CASE c.llc WHEN 'write' THEN ' Write/' ELSE ' Read/' END || p.column1, p.column1,
    CASE p.column1 WHEN 'Hit Rate' THEN hit_rate ELSE mbs END, NULL, NULL, NULL
  FROM llc_rate r JOIN setting c USING (device_id) CROSS JOIN (VALUES ('Hit Rate'), ('Throughput')) p
  UNION ALL
  SELECT 28, device_id, time_ns, 0, p.column2, CASE WHEN max(die_id) < 2 AND min(die) LIKE 'die%' THEN 'die' ELSE 'DIE' END,
    max(pick(p.column1, req_rx, rsp_rx, snp_rx, dat_rx, req_tx, rsp_tx, snp_tx, dat_tx)) FILTER (WHERE die_id = 0),
    max(pick(p.column1, req_rx, rsp_rx, snp_rx, dat_rx, req_tx, rsp_tx, snp_tx, dat_tx)) FILTER (WHERE die_id = 1),
    max(pick(p.column1, req_rx, rsp_rx, snp_rx, dat_rx, req_tx, rsp_tx, snp_tx, dat_tx)) FILTER (WHERE die_id = 2),
    max(pick(p.column1, req_rx, rsp_rx, snp_rx, dat_rx, req_tx, rsp_tx, snp_tx, dat_tx)) FILTER (WHERE die_id = 3)
  FROM sio_die_rate CROSS JOIN (VALUES (0, 'req_rx'), (1, 'rsp_rx'), (2, 'snp_rx'), (3, 'dat_rx'), (4, 'req_tx'), (5, 'rsp_tx'), (6, 'snp_tx'), (7, 'dat_tx')) p
  GROUP BY device_id, time_ns, p.column1
  UNION ALL
  SELECT 29, device_id, time_ns, 0, name, CASE WHEN die_id IS NULL THEN 'value' ELSE 'die' END, max(mbs) FILTER (WHERE die_id IS NOT 1), max(mbs) FILTER (WHERE die_id = 1), NULL, NULL
  FROM qos_sample WHERE name IS NOT NULL AND EXISTS (SELECT 1 FROM sample_die w JOIN setting c USING (chip) WHERE c.device_id = qos_sample.device_id) OR name IS NULL AND NOT :_old_trace
  GROUP BY device_id, time_ns, name, die_id IS NULL
  UNION ALL
  SELECT 33, device_id, time_ns, 0, 'UB Port' || printf('%03d', port_id), 'port', rx_udma, tx_udma, NULL, NULL FROM ub_sample
  UNION ALL
  SELECT 30, device_id, :_begin_ns, 0, NULL, 'value', NULL, NULL, NULL, NULL FROM setting WHERE sampled -- a process without events
), counter_process AS (
  SELECT DISTINCT l.sort_index, l.shown + l.moves * (:_places >> 4 * d.device_id & 15) * :_step AS shown, l.track, d.device_id
  FROM (SELECT DISTINCT sort_index, CASE sort_index WHEN 23 THEN device_id END AS device_id FROM counter_curve WHERE time_ns >= :_begin_ns) c
  JOIN counter_layer l USING (sort_index) JOIN device d ON d.device_id = coalesce(c.device_id, d.device_id) WHERE NOT has_bit(:_off, l.sort_index){device d.device_id}
)
