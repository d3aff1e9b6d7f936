-- @process NPU {process}
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _begin_ns, _off, NULL AS _layers FROM stamp
-- @use prof_counters
-- @rows
SELECT DISTINCT c.sort_index AS layer, c.device_id AS process, c.name AS name, CAST(c.time_ns + :_wall AS INTEGER) AS time_ns,
  CASE series WHEN 'MHz' THEN v1 END AS "value.MHz", CASE series WHEN 'KB' THEN v1 END AS "value.KB", CASE series WHEN 'Read' THEN v1 END AS "value.Read(MB/s)",
  CASE series WHEN 'Write' THEN v1 END AS "value.Write(MB/s)",
  CASE series WHEN 'Hit Rate' THEN v1 END AS "value.Hit Rate(%)", CASE series WHEN 'Throughput' THEN v1 END AS "value.Throughput(MB/s)",
  CASE series WHEN 'Port Rx' THEN v1 END AS "value.Rx Dropped Rate", CASE series WHEN 'Port Rx' THEN v2 END AS "value.Rx Error Rate",
  CASE series WHEN 'Port Rx' THEN v3 END AS "value.Rx Packets", CASE series WHEN 'Port Rx' THEN v4 END AS "value.Rx Bandwidth Efficiency",
  CASE series WHEN 'Port Tx' THEN v1 END AS "value.Tx Dropped Rate", CASE series WHEN 'Port Tx' THEN v2 END AS "value.Tx Error Rate",
  CASE series WHEN 'Port Tx' THEN v3 END AS "value.Tx Packets", CASE series WHEN 'Port Tx' THEN v4 END AS "value.Tx Bandwidth Efficiency",
  CASE series WHEN 'Rx' THEN v1 END AS "value.Rx(MB/s)", CASE series WHEN 'Tx' THEN v1 END AS "value.Tx(MB/s)",
  CASE series WHEN 'link' THEN v2 END AS "value.Rx", CASE series WHEN 'link' THEN v1 END AS "value.Tx", CASE series WHEN 'value' THEN v1 END AS "value.value",
  CASE series WHEN 'L2 Buffer Bw Level' THEN v1 END AS "value.L2 Buffer Bw Level", CASE series WHEN 'Mata Bw Level' THEN v1 END AS "value.Mata Bw Level",
  CASE WHEN series LIKE 'PA Link%' THEN v1 END AS "value.PA Link ID", CASE series WHEN 'PA Link Rx' THEN v2 END AS "value.PA Link Rx",
  CASE series WHEN 'PA Link Tx' THEN v2 END AS "value.PA Link Tx", CASE WHEN series LIKE 'PCIE%' THEN v1 END AS "value.PCIE ID",
  CASE series WHEN 'PCIE Read Bandwidth' THEN v2 END AS "value.PCIE Read Bandwidth", CASE series WHEN 'PCIE Write Bandwidth' THEN v2 END AS "value.PCIE Write Bandwidth",
  CASE WHEN series = 'U-Die' AND v1 = 0 THEN v2 END AS "value.U-Die0", CASE WHEN series = 'U-Die' AND v1 = 1 THEN v2 END AS "value.U-Die1",
  CASE series WHEN 'die' THEN v1 END AS "value.die 0", CASE series WHEN 'die' THEN v2 END AS "value.die 1", CASE series WHEN 'DIE' THEN v1 END AS "value.D-DIE0",
  CASE series WHEN 'DIE' THEN v3 END AS "value.U-DIE0", CASE series WHEN 'DIE' THEN v4 END AS "value.U-DIE1",
  CASE series WHEN 'port' THEN v1 END AS "value.bandwidth_rx(MB/s)", CASE series WHEN 'port' THEN v2 END AS "value.bandwidth_tx(MB/s)",
  l.track || ', NPU ' || c.device_id AS _process
FROM counter_curve c JOIN counter_layer l USING (sort_index) WHERE NOT has_bit(:_off, c.sort_index) AND c.time_ns > :_from_ns AND c.time_ns <= :_to_ns
  AND c.time_ns >= :_begin_ns AND c.name IS NOT NULL{range device c.time_ns; c.time_ns}{device c.device_id}
