-- The second part of export.sql: samples of memory, caches and links. Rates are bytes a second. Nothing from before the beginning is
-- shown. The strings come last. Times of HBM, caches and the memory of a device are added up as doubles, like those of the reference.
CREATE TEMP TABLE shown AS SELECT coalesce((SELECT value FROM main.meta WHERE key = 'begin_ns'), -9223372036854775808) AS since;

CREATE TABLE out.NPU_MEM (type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER);
INSERT OR IGNORE INTO temp.string(value) SELECT CASE event WHEN 0 THEN 'app' ELSE 'device' END FROM main.npu_mem GROUP BY event <> 0;
INSERT INTO out.NPU_MEM
SELECT (SELECT id FROM temp.string WHERE value = CASE event WHEN 0 THEN 'app' ELSE 'device' END), ddr_bytes, hbm_bytes, CAST(time_ns + (m.wall + 125) / 250 * 0.25 * 1000.0 AS INTEGER), device_id
FROM main.npu_mem_sample CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;
CREATE TABLE out.NPU_MODULE_MEM (moduleId INTEGER, timestampNs INTEGER, totalReserved NUMERIC, deviceId INTEGER);
INSERT INTO out.NPU_MODULE_MEM
SELECT n.module_id, n.time_ns + m.wall, nullif(n.total_bytes, 9223372036854775807), s.device_id
FROM main.source s CROSS JOIN main.npu_module_mem n CROSS JOIN temp.moment m CROSS JOIN temp.shown
WHERE s.target = 'npu_module_mem' AND n.rowid BETWEEN s.first_row AND s.last_row AND n.time_ns >= since ORDER BY s.device_id, n.module_id, n.time_ns, n.rowid;
UPDATE out.NPU_MODULE_MEM SET totalReserved = -1 WHERE totalReserved IS NULL;
CREATE TABLE out.NPU_OP_MEM (operatorName INTEGER, addr INTEGER, type INTEGER, size INTEGER, timestampNs INTEGER, globalTid INTEGER, totalAllocate NUMERIC, totalReserve NUMERIC, component INTEGER, deviceId INTEGER);
INSERT OR IGNORE INTO temp.string(value) SELECT 'GE' FROM main.task_memory_info LIMIT 1;
INSERT INTO out.NPU_OP_MEM
SELECT (SELECT id FROM temp.word_id WHERE hash = n.operator), n.address, n.size >= 0, max(n.size, -n.size), n.time_ns + m.wall, m.pid << 32 | n.thread_id, n.total_allocated,
  n.total_reserved, (SELECT id FROM temp.string WHERE value = 'GE'), n.device_id
FROM main.task_memory_info n CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE n.time_ns >= since ORDER BY n.rowid;
CREATE TABLE out.HBM (deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER, type INTEGER);
CREATE TABLE out.DDR (deviceId INTEGER, timestampNs INTEGER, read NUMERIC, write NUMERIC);
CREATE TABLE out.LLC (deviceId INTEGER, llcId INTEGER, timestampNs INTEGER, hitRate REAL, throughput INTEGER, mode INTEGER);
INSERT OR IGNORE INTO temp.string(value) SELECT CASE type WHEN 0 THEN 'read' ELSE 'write' END FROM main.hbm_rate GROUP BY type <> 0 ORDER BY type;
INSERT OR IGNORE INTO temp.string(value) SELECT DISTINCT llc FROM main.setting WHERE device_id IN (SELECT device_id FROM main.llc_rate);
INSERT INTO out.HBM
SELECT device_id, CAST(time_ns + (m.wall + 125) / 250 * 0.25 * 1000.0 AS INTEGER), CAST(mbs * 1048576 AS INTEGER), hbm_id,
   (SELECT id FROM temp.string WHERE value = CASE type WHEN 0 THEN 'read' ELSE 'write' END)
FROM main.hbm_rate CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;
INSERT INTO out.DDR SELECT device_id, time_ns + m.wall, read_mbs * 1048576, write_mbs * 1048576
FROM main.ddr_rate CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;
INSERT INTO out.LLC SELECT device_id, l3t_id, CAST(time_ns + (m.wall + 125) / 250 * 0.25 * 1000.0 AS INTEGER), hit_rate * 100, CAST(mbs * 1048576 AS INTEGER),
  (SELECT s.id FROM main.setting c JOIN temp.string s ON s.value = c.llc WHERE c.device_id = r.device_id)
FROM main.llc_rate r CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;
CREATE TABLE out.PCIE (deviceId INTEGER, timestampNs INTEGER, txPostMin NUMERIC, txPostMax NUMERIC, txPostAvg NUMERIC, txNonpostMin NUMERIC, txNonpostMax NUMERIC, txNonpostAvg NUMERIC, txCplMin NUMERIC, txCplMax NUMERIC, txCplAvg NUMERIC, txNonpostLatencyMin NUMERIC, txNonpostLatencyMax NUMERIC, txNonpostLatencyAvg NUMERIC, rxPostMin NUMERIC, rxPostMax NUMERIC, rxPostAvg NUMERIC, rxNonpostMin NUMERIC, rxNonpostMax NUMERIC, rxNonpostAvg NUMERIC, rxCplMin NUMERIC, rxCplMax NUMERIC, rxCplAvg NUMERIC);
INSERT INTO out.PCIE
SELECT device_id, time_ns + m.wall, tx_p_min * 1000000, tx_p_max * 1000000, tx_p_avg * 1000000, tx_np_min * 1000000, tx_np_max * 1000000, tx_np_avg * 1000000,
  tx_cpl_min * 1000000, tx_cpl_max * 1000000, tx_cpl_avg * 1000000, tx_latency_min, tx_latency_max, tx_latency_avg, rx_p_min * 1000000, rx_p_max * 1000000,
  rx_p_avg * 1000000, rx_np_min * 1000000, rx_np_max * 1000000, rx_np_avg * 1000000, rx_cpl_min * 1000000, rx_cpl_max * 1000000, rx_cpl_avg * 1000000
FROM main.pcie_sample CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since AND tx_p_max >= tx_p_min;
CREATE TABLE out.ACC_PMU (accId INTEGER, readBwLevel INTEGER, writeBwLevel INTEGER, readOstLevel INTEGER, writeOstLevel INTEGER, timestampNs NUMERIC, deviceId INTEGER);
INSERT INTO out.ACC_PMU SELECT a.acc_id, a.read_bandwidth, a.write_bandwidth, a.read_ost, a.write_ost, a.time_ns + m.wall, s.device_id
FROM main.source s JOIN main.stars_log_chip USING (device_id) CROSS JOIN main.acc_pmu a CROSS JOIN temp.moment m CROSS JOIN temp.shown
WHERE s.target = 'acc_pmu' AND a.rowid BETWEEN s.first_row AND s.last_row AND a.time_ns >= since ORDER BY s.device_id, a.time_ns, a.acc_id;
CREATE TABLE out.SOC_BANDWIDTH_LEVEL (l2BufferBwLevel INTEGER, mataBwLevel INTEGER, timestampNs NUMERIC, deviceId INTEGER);
INSERT INTO out.SOC_BANDWIDTH_LEVEL SELECT i.buffer_level, i.mata_level, i.time_ns + m.wall, s.device_id
FROM main.source s JOIN main.stars_log_chip USING (device_id) CROSS JOIN main.inter_soc i CROSS JOIN temp.moment m CROSS JOIN temp.shown
WHERE s.target = 'inter_soc' AND i.rowid BETWEEN s.first_row AND s.last_row AND i.time_ns >= since;
CREATE TABLE out.SIO (deviceId NUMERIC, name NUMERIC, timestampNs NUMERIC, rxReq NUMERIC, rxRsp NUMERIC, rxSnp NUMERIC, rxDat NUMERIC, txReq NUMERIC, txRsp NUMERIC, txSnp NUMERIC, txDat NUMERIC);
INSERT OR IGNORE INTO temp.string(value) SELECT DISTINCT die FROM main.sio_die_rate;
INSERT INTO out.SIO SELECT device_id, (SELECT id FROM temp.string WHERE value = die), time_ns + m.wall, req_rx * 1048576, rsp_rx * 1048576, snp_rx * 1048576, dat_rx * 1048576,
  req_tx * 1048576, rsp_tx * 1048576, snp_tx * 1048576, dat_tx * 1048576
FROM main.sio_die_rate CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;
CREATE TABLE out.QOS (deviceId INTEGER, eventName NUMERIC, bandwidth NUMERIC, timestampNs NUMERIC, dieId NUMERIC);
INSERT INTO out.QOS SELECT device_id, (SELECT id FROM temp.string WHERE value = name), mbs * 1048576, time_ns + m.wall, coalesce(die_id, -1)
FROM main.qos_sample CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since AND name IS NOT NULL;
CREATE TABLE out.NIC (deviceId INTEGER, timestampNs INTEGER, bandwidth INTEGER, rxPacketRate NUMERIC, rxByteRate NUMERIC, rxPackets INTEGER, rxBytes INTEGER, rxErrors INTEGER, rxDropped INTEGER, txPacketRate NUMERIC, txByteRate NUMERIC, txPackets INTEGER, txBytes INTEGER, txErrors INTEGER, txDropped INTEGER, funcId INTEGER);
INSERT INTO out.NIC SELECT s.device_id, x.stamp_ns + coalesce(c.ahead_ns, 0) + m.wall, x.bandwidth * 1048576, x.rx_packet, x.rx_byte, x.rx_packets, x.rx_bytes, x.rx_errors, x.rx_dropped,
  x.tx_packet, x.tx_byte, x.tx_packets, x.tx_bytes, x.tx_errors, x.tx_dropped, coalesce(x.func_id, 0)
FROM main.source s CROSS JOIN main.nic x CROSS JOIN temp.moment m CROSS JOIN temp.shown LEFT JOIN main.setting c ON c.device_id = s.device_id
WHERE s.target = 'nic' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.stamp_ns + coalesce(c.ahead_ns, 0) >= since;
CREATE TABLE out.ROCE (deviceId INTEGER, timestampNs INTEGER, bandwidth INTEGER, rxPacketRate NUMERIC, rxByteRate NUMERIC, rxPackets INTEGER, rxBytes INTEGER, rxErrors INTEGER, rxDropped INTEGER, txPacketRate NUMERIC, txByteRate NUMERIC, txPackets INTEGER, txBytes INTEGER, txErrors INTEGER, txDropped INTEGER, funcId INTEGER);
INSERT INTO out.ROCE SELECT s.device_id, x.stamp_ns + coalesce(c.ahead_ns, 0) + m.wall, x.bandwidth * 1048576, x.rx_packet, x.rx_byte, x.rx_packets, x.rx_bytes, x.rx_errors, x.rx_dropped,
  x.tx_packet, x.tx_byte, x.tx_packets, x.tx_bytes, x.tx_errors, x.tx_dropped, coalesce(x.func_id, 0)
FROM main.source s CROSS JOIN main.roce x CROSS JOIN temp.moment m CROSS JOIN temp.shown LEFT JOIN main.setting c ON c.device_id = s.device_id
WHERE s.target = 'roce' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.stamp_ns + coalesce(c.ahead_ns, 0) >= since;
CREATE TABLE out.HCCS (deviceId INTEGER, timestampNs INTEGER, txThroughput NUMERIC, rxThroughput NUMERIC);
INSERT INTO out.HCCS SELECT device_id, time_ns + m.wall, CAST(tx_mbs * 1048576 AS INTEGER), CAST(rx_mbs * 1048576 AS INTEGER)
FROM main.hccs_rate CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;
CREATE TABLE out.NETDEV_STATS (deviceId INTEGER, timestampNs INTEGER, macTxPfcPkt INTEGER, macRxPfcPkt INTEGER, macTxByte INTEGER, macTxBandwidth NUMERIC, macRxByte INTEGER, macRxBandwidth NUMERIC, macTxBadByte INTEGER, macRxBadByte INTEGER, roceTxPkt INTEGER, roceRxPkt INTEGER, roceTxErrPkt INTEGER, roceRxErrPkt INTEGER, roceTxCnpPkt INTEGER, roceRxCnpPkt INTEGER, roceNewPktRty INTEGER, nicTxByte INTEGER, nicTxBandwidth NUMERIC, nicRxByte INTEGER, nicRxBandwidth NUMERIC);
-- What was counted since the sample before; a count that goes back is 0.
CREATE TEMP TABLE netdev AS
SELECT s.device_id, row_number() OVER (PARTITION BY s.device_id ORDER BY x.stamp_ns) AS number, x.*
FROM main.source s CROSS JOIN main.netdev_stats x WHERE s.target = 'netdev_stats' AND x.rowid BETWEEN s.first_row AND s.last_row;
CREATE UNIQUE INDEX temp.netdev_by_number ON netdev(device_id, number);
INSERT INTO out.NETDEV_STATS
SELECT b.device_id, b.stamp_ns + m.wall, max(0, b.mac_tx_pfc - a.mac_tx_pfc), max(0, b.mac_rx_pfc - a.mac_rx_pfc),
  max(0, b.mac_tx_bytes - a.mac_tx_bytes), max(0, b.mac_tx_bytes - a.mac_tx_bytes) * 1000000000.0 / (b.stamp_ns - a.stamp_ns),
  max(0, b.mac_rx_bytes - a.mac_rx_bytes), max(0, b.mac_rx_bytes - a.mac_rx_bytes) * 1000000000.0 / (b.stamp_ns - a.stamp_ns),
  max(0, b.mac_tx_bad_bytes - a.mac_tx_bad_bytes), max(0, b.mac_rx_bad_bytes - a.mac_rx_bad_bytes), max(0, b.roce_tx_packets - a.roce_tx_packets),
  max(0, b.roce_rx_packets - a.roce_rx_packets), max(0, b.roce_tx_errors - a.roce_tx_errors), max(0, b.roce_rx_errors - a.roce_rx_errors),
  max(0, b.roce_tx_cnp - a.roce_tx_cnp), max(0, b.roce_rx_cnp - a.roce_rx_cnp), max(0, b.roce_retries - a.roce_retries),
  max(0, b.nic_tx_bytes - a.nic_tx_bytes), max(0, b.nic_tx_bytes - a.nic_tx_bytes) * 1000000000.0 / (b.stamp_ns - a.stamp_ns),
  max(0, b.nic_rx_bytes - a.nic_rx_bytes), max(0, b.nic_rx_bytes - a.nic_rx_bytes) * 1000000000.0 / (b.stamp_ns - a.stamp_ns)
FROM temp.netdev b CROSS JOIN temp.netdev a ON a.device_id = b.device_id AND a.number = b.number - 1 CROSS JOIN temp.moment m CROSS JOIN temp.shown
WHERE b.stamp_ns > a.stamp_ns AND b.stamp_ns >= since ORDER BY b.rowid;
DROP TABLE temp.netdev;
CREATE TABLE out.CPU_USAGE (timestampNs NUMERIC, cpuId NUMERIC, usage NUMERIC);
INSERT INTO out.CPU_USAGE SELECT time_ns + m.wall, cpu, use FROM main.host_cpu_use CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since AND cpu <> 'Avg' ORDER BY CAST(cpu AS INTEGER);
CREATE TABLE out.HOST_MEM_USAGE (timestampNs NUMERIC, usage NUMERIC);
INSERT INTO out.HOST_MEM_USAGE SELECT time_ns + m.wall, use FROM main.host_memory_use CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;
CREATE TABLE out.HOST_NETWORK_USAGE (timestampNs NUMERIC, usage NUMERIC, speed NUMERIC);
INSERT INTO out.HOST_NETWORK_USAGE SELECT time_ns + m.wall, use, kbs * 1024 FROM main.host_network_use CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;

CREATE TABLE out.SAMPLE_PMU_TIMELINE (deviceId INTEGER, timestampNs INTEGER, totalCycle INTEGER, usage NUMERIC, freq NUMERIC, coreId INTEGER, coreType INTEGER);
-- The use since the sample of the core before; the first one is of 1 ns, as in the reference. Of chips of stars only what stars writes is shown.
-- @when EXISTS (SELECT 1 FROM main.aicore_sample) OR EXISTS (SELECT 1 FROM main.aiv_sample)
INSERT OR IGNORE INTO temp.string(value) VALUES ('AIC'), ('AIV');
INSERT INTO out.SAMPLE_PMU_TIMELINE
SELECT device_id, at_ns + m.wall, total_cycles, total_cycles * 1000.0 / (mhz * span_ns) * 100.0, mhz, core, (SELECT id FROM temp.string WHERE value = upper(kind))
FROM (SELECT r.*, CAST(c.mhz AS REAL) AS mhz, coalesce(r.at_ns - lag(r.at_ns) OVER (PARTITION BY r.device_id, r.kind, r.core ORDER BY r.row), 1) AS span_ns
  FROM main.core_reading r JOIN main.setting c ON c.device_id = r.device_id LEFT JOIN main.sample_chip w ON w.chip = c.chip
  WHERE w.cube_most IS NULL OR r.layout GLOB '*ffts_sample') CROSS JOIN temp.moment m CROSS JOIN temp.shown
WHERE span_ns <> 0 AND mhz > 0 AND at_ns >= since ORDER BY device_id, kind, row;
-- @end
CREATE TABLE out.SAMPLE_PMU_SUMMARY (deviceId INTEGER, metric INTEGER, value NUMERIC, coreId INTEGER, coreType INTEGER);
-- The metrics of all samples of a core that the timeline has: a time in ns, ratios, counts, bytes a second.
-- @when EXISTS (SELECT 1 FROM out.SAMPLE_PMU_TIMELINE)
CREATE TEMP TABLE core_value AS
WITH core AS (
  SELECT c.*, CAST(s.mhz AS REAL) AS mhz FROM main.core_sum c JOIN main.setting s ON s.device_id = c.device_id
  WHERE EXISTS (SELECT 1 FROM out.SAMPLE_PMU_TIMELINE t WHERE t.deviceId = c.device_id AND t.coreId = c.core AND t.coreType = (SELECT id FROM temp.string WHERE value = upper(c.kind)))
), metric AS (
  SELECT c.device_id, c.kind, c.core, m.place, m.name, m.what, c.mhz, nullif(c.total_cycles, 0) AS cycles,
    total(m.weight * pick(m.position, c.pmu0, c.pmu1, c.pmu2, c.pmu3, c.pmu4, c.pmu5, c.pmu6, c.pmu7, c.pmu8, c.pmu9)) AS events,
    max(pick(m.per_position, c.pmu0, c.pmu1, c.pmu2, c.pmu3, c.pmu4, c.pmu5, c.pmu6, c.pmu7, c.pmu8, c.pmu9)) AS per
  FROM core c JOIN main.core_metric m ON m.device_id = c.device_id AND m.core = c.kind GROUP BY c.device_id, c.kind, c.core, m.place
)
SELECT device_id, kind, core, -1 AS place, 'total_time' AS title, total_cycles * 1000.0 / mhz AS value FROM core
UNION ALL SELECT device_id, kind, core, place, name || CASE what WHEN 'pipe' THEN '_ratio' ELSE '' END,
  coalesce(CASE what WHEN 'rate' THEN events / nullif(per, 0) WHEN 'bandwidth' THEN events / (cycles / (mhz * 1e6)) / 8 WHEN 'pipe' THEN events / cycles WHEN 'ratio' THEN events / cycles
    ELSE events END, 0) FROM metric;
INSERT OR IGNORE INTO temp.string(value) SELECT title FROM temp.core_value;
INSERT INTO out.SAMPLE_PMU_SUMMARY
SELECT device_id, (SELECT id FROM temp.string WHERE value = title), v.value, core, (SELECT id FROM temp.string WHERE value = upper(kind)) FROM temp.core_value v ORDER BY device_id, kind, core, place;
DROP TABLE temp.core_value;
-- @end
CREATE TABLE out.UB (deviceId NUMERIC, portId NUMERIC, timestampNs NUMERIC, rxUdmaBind NUMERIC, txUdmaBind NUMERIC);
INSERT INTO out.UB SELECT device_id, port_id, time_ns + m.wall, rx_udma, tx_udma FROM main.ub_sample CROSS JOIN temp.moment m ORDER BY row;
-- The unit for collectives. It has numbers behind those of tasks.
CREATE TABLE out.CCU (deviceId NUMERIC, globalTaskId NUMERIC, name NUMERIC, startNs NUMERIC, endNs NUMERIC, args NUMERIC);
-- @when EXISTS (SELECT 1 FROM main.ccu_step)
CREATE TEMP TABLE ccu_text AS
SELECT rowid AS id, CASE WHEN waits THEN 'Wait' ELSE 'LoopGroup' END AS name, json_patch('{}', json_object('Physic Stream Id', stream_id,
  'Task Id', task_id, 'Instruction ID', CASE WHEN NOT waits THEN instr_id END,
  'Notify Instruction ID', CASE WHEN waits THEN instr_id END, 'Notify Rank ID', CASE WHEN waits THEN rank_id END, 'Die Id', die_id, 'Data Size', data_size,
  'Bandwidth (B/s)', CASE WHEN end_ns > start_ns THEN data_size * 1e9 / (end_ns - start_ns) END,
  'Reduce Op Type', reduce_type, 'Input Data Type', input_type, 'Output Data Type', output_type, 'Mask', mask)) AS args FROM main.ccu_step;
INSERT OR IGNORE INTO temp.string(value) SELECT name FROM temp.ccu_text UNION SELECT args FROM temp.ccu_text;
INSERT INTO out.CCU
SELECT device_id, coalesce((SELECT max(id) FROM main.task), 0) + c.rowid, (SELECT id FROM temp.string WHERE value = t.name), start_ns + m.wall, end_ns + m.wall,
  (SELECT id FROM temp.string WHERE value = t.args)
FROM main.ccu_step c JOIN temp.ccu_text t ON t.id = c.rowid CROSS JOIN temp.moment m ORDER BY device_id, start_ns, row;
DROP TABLE temp.ccu_text;
-- @end
-- Tasks of the processor for data, and steps of collective operations on it.
CREATE TABLE out.DPU_TASK (dpuDeviceId INTEGER, globalTid NUMERIC, startNs NUMERIC, endNs NUMERIC, globalTaskId NUMERIC, streamId NUMERIC, taskId NUMERIC, opName NUMERIC, args NUMERIC);
-- @when EXISTS (SELECT 1 FROM main.dpu_task)
CREATE TEMP TABLE dpu_text AS
SELECT d.rowid AS id, d.name, CASE WHEN d.step IS NULL THEN json_object('Thread Id', d.thread_id, 'Physic Stream Id', d.stream_id, 'Task Id', d.task_id, 'Task Type', 'AI_CPU') ELSE
  json_object('Thread Id', d.thread_id, 'Physic Stream Id', d.stream_id, 'Task Id', d.task_id, 'OP Type', op_word, 'AI CPU Device Id', npu_id, 'AI CPU Task Id', aicpu_task_id,
    'Group Name', group_word, 'Plane Id', plane_id, 'Notify Id', printf('%u', notify_id), 'Duration Estimated(us)', double_of(estimate), 'Rank Size', rank_size,
    'Src Rank', local_rank, 'Dst Rank', remote_rank, 'Transport Type', transport_word, 'Size(Byte)', size,
    'Bandwidth(B/s)', CASE WHEN d.end_ns > d.start_ns AND size >= 0 THEN size * 1e9 / (d.end_ns - d.start_ns) ELSE 0.0 END, 'Data Type', data_word, 'Link Type', link_word,
    'Rdma Type', rdma_word) END AS args
FROM main.dpu_task d LEFT JOIN main.dpu_step s ON s.step = d.step;
INSERT OR IGNORE INTO temp.string(value) SELECT name FROM temp.dpu_text UNION SELECT args FROM temp.dpu_text;
INSERT INTO out.DPU_TASK
SELECT device_id, thread_id, start_ns + m.wall, end_ns + m.wall, coalesce((SELECT max(id) FROM main.task), 0) + (SELECT count(*) FROM out.CCU) + d.rowid, stream_id, task_id,
  (SELECT id FROM temp.string WHERE value = t.name), (SELECT id FROM temp.string WHERE value = t.args)
FROM main.dpu_task d JOIN temp.dpu_text t ON t.id = d.rowid CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE start_ns >= since ORDER BY d.rowid;
DROP TABLE temp.dpu_text;
-- @end
CREATE TABLE out.HOST_DISK_USAGE (timestampNs NUMERIC, readRate NUMERIC, writeRate NUMERIC, usage NUMERIC);
INSERT INTO out.HOST_DISK_USAGE SELECT time_ns + m.wall, read_kbs * 1024, write_kbs * 1024, use FROM main.host_disk_use CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE time_ns >= since;
CREATE TABLE out.OSRT_API (name NUMERIC, globalTid NUMERIC, startNs NUMERIC, endNs NUMERIC);
INSERT OR IGNORE INTO temp.string(value) SELECT DISTINCT name FROM main.os_call CROSS JOIN temp.shown WHERE start_ns >= since;
INSERT INTO out.OSRT_API SELECT (SELECT id FROM temp.string WHERE value = c.name), m.pid << 32 | c.tid, c.start_ns + m.wall, c.start_ns + CAST(round(c.dur_ns) AS INTEGER) + m.wall
FROM main.os_call c CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE c.start_ns >= since ORDER BY c.rowid;

-- When streams carried marks, among the tasks.
INSERT OR IGNORE INTO temp.string(value) SELECT 'MsTx' FROM main.device_mark LIMIT 1;
INSERT INTO out.TASK
SELECT d.start_ns + m.wall, d.start_ns + d.dur_ns + m.wall, d.device_id, d.mark_id + 4000000000, (SELECT coalesce(max(id), 0) FROM main.task) + d.rowid - 1, m.pid,
  (SELECT id FROM temp.string WHERE value = 'MsTx'), 4294967295, d.stream_id, d.task_id, d.model_id
FROM main.device_mark d CROSS JOIN temp.moment m CROSS JOIN temp.shown WHERE d.start_ns >= since ORDER BY d.rowid;
DROP TABLE temp.shown;
INSERT OR IGNORE INTO temp.string(value) SELECT column1 FROM (VALUES ('AIC'), ('AIV')) WHERE EXISTS (SELECT 1 FROM main.setting WHERE sampled);
INSERT INTO out.STRING_IDS SELECT id, value FROM temp.string;
