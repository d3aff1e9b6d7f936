-- Samples of devices as rates, as reports and databases show them. Times are ns of the host's monotonic clock.

CREATE TEMP TABLE sampler AS
SELECT d.device_id, d.host_monotonic_ns AS start_ns, c.llc,
  4 * (1 + length(coalesce(c.hbm_events, '')) - length(replace(coalesce(c.hbm_events, ''), ',', ''))) AS hbm_kinds,
  coalesce(w.ddr_bits, 128) AS ddr_bits, coalesce(w.llc_ids, 4) AS llc_ids
FROM device d LEFT JOIN setting c USING (device_id) LEFT JOIN sample_chip w USING (chip);

-- HBM, 256 bits each, by times of the day, which are doubles where they are added up. The device has four channels: the sample of the same kind before is as many places before as there are
-- kinds. The first samples have none before them; the only ones stay counts.
-- @when EXISTS (SELECT 1 FROM hbm)
DELETE FROM hbm_rate;
INSERT INTO hbm_rate
WITH sample AS (
  SELECT s.device_id, m.hbm_kinds, h.hbm_id, h.type <> 0 AS type, h.count, h.stamp_ns,
    coalesce(h.stamp_ns - (SELECT value FROM meta WHERE key = 'wall_offset_ns'), m.start_ns + h.stamp_us * 1000) AS time_ns
  FROM source s CROSS JOIN hbm h JOIN temp.sampler m ON m.device_id = s.device_id WHERE s.target = 'hbm' AND h.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY s.device_id, time_ns, type, h.hbm_id
), numbered AS (
  SELECT *, row_number() OVER w AS n, count(*) OVER (PARTITION BY device_id) AS total,
    coalesce(stamp_ns, CAST(time_ns + (SELECT (value + 125) / 250 * 0.25 * 1000.0 FROM meta WHERE key = 'wall_offset_ns') AS INTEGER)) AS day_ns
  FROM sample WINDOW w AS (PARTITION BY device_id ORDER BY time_ns, type, hbm_id)
), pair AS (
  SELECT *, CASE WHEN n > hbm_kinds THEN lag(day_ns, hbm_kinds) OVER w ELSE lead(day_ns, max(total - hbm_kinds, 0)) OVER w END AS before_ns
  FROM numbered WINDOW w AS (PARTITION BY device_id ORDER BY n)
)
SELECT device_id, hbm_id, type, time_ns, CASE WHEN day_ns = before_ns THEN count WHEN day_ns > before_ns THEN count * 0.000030517578125 / (day_ns - before_ns) * 1e9 ELSE 0.0 END
FROM pair WHERE total >= hbm_kinds ORDER BY device_id, n;
-- @end

-- DDR: of all controllers together; the first sample counts from the start. Accesses of single masters are others.
-- @when EXISTS (SELECT 1 FROM ddr)
DELETE FROM ddr_rate;
INSERT INTO ddr_rate
WITH sample AS (
  SELECT s.device_id, m.ddr_bits, m.start_ns, d.stamp_us, total(d.count) FILTER (WHERE d.type = 0 AND d.master_id = 4294967295) AS read,
    total(d.count) FILTER (WHERE d.type <> 0 AND d.master_id = 4294967295) AS written
  FROM source s CROSS JOIN ddr d JOIN temp.sampler m ON m.device_id = s.device_id WHERE s.target = 'ddr' AND d.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY s.device_id, d.stamp_us
), span AS (
  SELECT *, nullif(stamp_us - lag(stamp_us, 1, 0) OVER (PARTITION BY device_id ORDER BY stamp_us), 0) * 1000 AS span_ns FROM sample
)
SELECT device_id, start_ns + stamp_us * 1000, coalesce(read * ddr_bits / (span_ns * 1024.0 * 1024.0 * 8) * 1e9, 0), coalesce(written * ddr_bits / (span_ns * 1024.0 * 1024.0 * 8) * 1e9, 0)
FROM span ORDER BY device_id, stamp_us;
-- @end

-- The last level cache: hits of accesses, and bytes of 64 a sixty-fourth of a second. Which event is which depends on what is counted.
-- @when EXISTS (SELECT 1 FROM llc)
DELETE FROM llc_rate;
INSERT INTO llc_rate
WITH event AS (
  SELECT s.device_id, l.l3t_id, coalesce(l.stamp_ns - (SELECT value FROM meta WHERE key = 'wall_offset_ns'), m.start_ns + l.stamp_us * 1000) AS time_ns, e.place, l.count, max(l.rowid)
  FROM source s CROSS JOIN llc l JOIN temp.sampler m ON m.device_id = s.device_id JOIN llc_event e ON e.mode = m.llc AND e.event = l.event
  WHERE s.target = 'llc' AND l.rowid BETWEEN s.first_row AND s.last_row AND l.l3t_id < m.llc_ids GROUP BY s.device_id, l.l3t_id, time_ns, e.place
), sample AS (
  SELECT device_id, l3t_id, time_ns,
    CASE count(*) FILTER (WHERE place IN (2, 3, 5, 7)) WHEN 4 THEN total_int(count) FILTER (WHERE place IN (2, 3, 5, 7)) END AS hits,
    CASE count(*) FILTER (WHERE place IN (4, 6)) WHEN 2 THEN total_int(count) FILTER (WHERE place IN (4, 6)) END AS accesses,
    CASE count(*) FILTER (WHERE place IN (0, 1)) WHEN 2 THEN total(count) FILTER (WHERE place IN (0, 1)) END AS lines
  FROM event GROUP BY device_id, l3t_id, time_ns
)
SELECT device_id, l3t_id, time_ns, coalesce(decimal(hits, accesses, 3), 0.0), 
  coalesce(rounded(lines * 3906250.0 / nullif(time_ns - lag(time_ns) OVER (PARTITION BY device_id, l3t_id ORDER BY time_ns), 0), 3), 0.0)
FROM sample ORDER BY l3t_id, device_id, time_ns;
-- @end

-- Traffic between dies: MB a second since the sample of the die before, by times as doubles of the counter's ticks.
-- @when EXISTS (SELECT 1 FROM sio)
DELETE FROM sio_rate;
INSERT INTO sio_rate
WITH sample AS (
  SELECT s.device_id, x.*, x.rowid AS row, CASE WHEN c.chip IN (15, 16) THEN x.die_id ELSE x.acc_id END AS die,
    round((x.time_ns - d.host_monotonic_ns) * d.counter_hz / 1e9) / d.counter_hz * 1e9 + d.host_monotonic_ns / 1e9 * 1e9 AS real_ns
  FROM source s CROSS JOIN sio x JOIN device d ON d.device_id = s.device_id LEFT JOIN setting c ON c.device_id = s.device_id
  WHERE s.target = 'sio' AND x.rowid BETWEEN s.first_row AND s.last_row
), span AS (
  SELECT *, real_ns - lag(real_ns) OVER (PARTITION BY device_id, die ORDER BY row) AS span_ns FROM sample
)
SELECT device_id, die, time_ns, req_rx * f / span_ns, rsp_rx * f / span_ns, snp_rx * f / span_ns, dat_rx * f / span_ns,
  req_tx * f / span_ns, rsp_tx * f / span_ns, snp_tx * f / span_ns, dat_tx * f / span_ns
FROM span CROSS JOIN (SELECT 1e9 / 1048576 AS f) WHERE span_ns > 0 ORDER BY row;
-- @end
-- Classes of traffic: the n-th name of sample.json is that of the n-th value; chips of version 6 begin with the third. A sample without
-- a name has none.
-- @when EXISTS (SELECT 1 FROM qos) OR EXISTS (SELECT 1 FROM stars_qos)
DELETE FROM qos_sample;
INSERT INTO qos_sample
WITH sample AS (
  SELECT s.device_id, NULL AS die_id, q.time_ns, q.rowid AS place, json_array(bw1, bw2, bw3, bw4, bw5, bw6, bw7, bw8, bw9, bw10) AS value
  FROM source s CROSS JOIN qos q WHERE s.target = 'qos' AND q.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT s.device_id, CASE WHEN c.chip IN (15, 16) THEN q.die_id END, q.time_ns, q.rowid,
    CASE WHEN c.chip IN (15, 16) THEN json_array(bw3, bw4, bw5, bw6, bw7, bw8, bw9, bw10) ELSE json_array(bw1, bw2, bw3, bw4, bw5, bw6, bw7, bw8, bw9, bw10) END
  FROM source s CROSS JOIN stars_qos q LEFT JOIN setting c ON c.device_id = s.device_id WHERE s.target = 'stars_qos' AND q.rowid BETWEEN s.first_row AND s.last_row
)
SELECT s.device_id, s.die_id, s.time_ns, 'QoS ' || e.value AS name, json_extract(s.value, '$[' || e.key || ']') AS mbs
FROM sample s LEFT JOIN setting c ON c.device_id = s.device_id
LEFT JOIN json_each('[' || replace(json_quote(c.qos_events), ',', '","') || ']') e ON c.qos_events IS NOT NULL ORDER BY s.place;
-- @end

-- Ports, where the bandwidth is known.
-- @when EXISTS (SELECT 1 FROM nic) OR EXISTS (SELECT 1 FROM roce)
DELETE FROM port_rate;
INSERT INTO port_rate
SELECT s.target, s.device_id, coalesce(x.func_id, 0), x.stamp_ns + coalesce(c.ahead_ns, 0), rounded(x.rx_byte * 8.0 / (x.bandwidth * 1048576.0), 3), x.rx_packet,
  coalesce(1.0 * x.rx_errors / nullif(x.rx_packets, 0), 0), coalesce(1.0 * x.rx_dropped / nullif(x.rx_packets, 0), 0),
  rounded(x.tx_byte * 8.0 / (x.bandwidth * 1048576.0), 3), x.tx_packet, coalesce(1.0 * x.tx_errors / nullif(x.tx_packets, 0), 0),
  coalesce(1.0 * x.tx_dropped / nullif(x.tx_packets, 0), 0)
FROM source s CROSS JOIN (SELECT 'nic' AS target, rowid AS row, * FROM nic UNION ALL SELECT 'roce', rowid, * FROM roce) x
ON x.target = s.target AND x.row BETWEEN s.first_row AND s.last_row LEFT JOIN setting c ON c.device_id = s.device_id
WHERE x.bandwidth <> 0 ORDER BY s.target, x.row;
-- @end

-- Links between cards: counts that fall are left out. The last difference is that of the first count to the last, where neither fell;
-- the last of all differences is not shown if there are several.
-- @when EXISTS (SELECT 1 FROM hccs)
DELETE FROM hccs_rate;
INSERT INTO hccs_rate
WITH line AS (
  SELECT s.device_id, x.stamp_ns, x.tx, x.rx, coalesce(c.ahead_ns, 0) AS ahead_ns, row_number() OVER w AS n, count(*) OVER (PARTITION BY s.device_id) AS lines
  FROM source s CROSS JOIN hccs x LEFT JOIN setting c ON c.device_id = s.device_id
  WHERE s.target = 'hccs' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.stamp_ns IS NOT NULL WINDOW w AS (PARTITION BY s.device_id ORDER BY x.stamp_ns, x.rowid)
), pair AS (
  SELECT b.device_id, CASE b.n WHEN 1 THEN b.lines + 1 ELSE b.n END AS place, b.stamp_ns + b.ahead_ns AS time_ns, b.tx - a.tx AS tx, b.rx - a.rx AS rx, b.stamp_ns - a.stamp_ns AS span_ns
  FROM line b JOIN line a ON a.device_id = b.device_id AND a.n = CASE b.n WHEN 1 THEN b.lines ELSE b.n - 1 END WHERE b.tx >= a.tx AND b.rx >= a.rx
), counted AS (
  SELECT *, count(*) OVER (PARTITION BY device_id) AS pairs, row_number() OVER (PARTITION BY device_id ORDER BY place DESC) AS back FROM pair
)
SELECT device_id, time_ns, coalesce(rounded(tx * 953.67431640625 / nullif(span_ns, 0), 3), 0.0), coalesce(rounded(rx * 953.67431640625 / nullif(span_ns, 0), 3), 0.0)
FROM counted WHERE pairs = 1 OR back > 1 ORDER BY device_id, place;
-- @end

-- The program on the host: memory of pages of 4 KB; ticks of its processes on each processor, of the time since the sample before;
-- bytes of the cards whose speed is known, a card and second.
-- @when EXISTS (SELECT 1 FROM host_memory)
DELETE FROM host_memory_use;
INSERT INTO host_memory_use
SELECT before_ns, rounded(resident * 400.0 / total_kb, 6) FROM (
  SELECT resident, lag(stamp_ns) OVER (ORDER BY rowid) AS before_ns, (SELECT nullif(json_extract(text, '$.memoryTotal'), 0) FROM control
    WHERE name = 'info.json' AND device_id IS NULL) AS total_kb, rowid AS row FROM host_memory
) WHERE before_ns IS NOT NULL AND total_kb IS NOT NULL ORDER BY row;
-- @end
-- @when EXISTS (SELECT 1 FROM host_network)
DELETE FROM host_network_use;
CREATE TEMP TABLE card AS
SELECT json_extract(e.value, '$.netCardName') AS card, json_extract(e.value, '$.speed') * 125000 AS speed
FROM control c JOIN json_each(c.text, '$.netCard') e
WHERE c.name = 'info.json' AND c.device_id IS NULL AND json_type(e.value, '$.speed') IN ('integer', 'real') AND json_extract(e.value, '$.speed') <> -1;
CREATE TEMP TABLE known AS
SELECT l.*, c.speed FROM (SELECT rowid AS row, trim(card) AS card, rx_bytes, tx_bytes, total(stamp_ns IS NOT NULL) OVER (ORDER BY rowid) AS block,
    max(stamp_ns) OVER (ORDER BY rowid) AS stamp_ns FROM host_network) l JOIN temp.card c ON c.card = l.card;
CREATE INDEX temp.known_by_block ON known(card, block);
INSERT INTO host_network_use
WITH pair AS (
  SELECT b.row, b.block, a.stamp_ns AS begun_ns, b.stamp_ns, b.speed, b.rx_bytes - a.rx_bytes + b.tx_bytes - a.tx_bytes AS bytes
  FROM temp.known b CROSS JOIN temp.known a ON a.card = b.card AND a.block = b.block - 1 WHERE b.rx_bytes >= a.rx_bytes AND b.tx_bytes >= a.tx_bytes
), sample AS (
  SELECT block, min(begun_ns) AS begun_ns, min(stamp_ns) / 1e9 - min(begun_ns) / 1e9 AS span_s, total(bytes) / count(*) AS bytes, count(*) AS cards, speed, max(row) FROM pair GROUP BY block
)
SELECT CAST(begun_ns / 1e9 * 1e9 AS INTEGER), rounded(coalesce(bytes / nullif(span_s, 0), 0) * 100 / speed, 6), coalesce(bytes / nullif(span_s, 0), 0) * cards / 1024 FROM sample ORDER BY block;
DROP TABLE temp.known;
DROP TABLE temp.card;
-- @end
-- @when EXISTS (SELECT 1 FROM host_cpu)
DELETE FROM host_cpu_use;
INSERT INTO host_cpu_use
WITH host AS (
  SELECT json_extract(text, '$.cpuNums') AS cpus, json_extract(text, '$.sysClockFreq') AS hz FROM control WHERE name = 'info.json' AND device_id IS NULL
), line AS (
  SELECT rowid AS row, line, total(stamp_ns IS NOT NULL) OVER (ORDER BY rowid) AS block, max(stamp_ns) OVER (ORDER BY rowid) AS stamp_ns, lag(stamp_ns) OVER (ORDER BY rowid) IS NOT NULL AS is_uptime
  FROM host_cpu
), up AS (
  SELECT block, stamp_ns, CAST(line AS REAL) * hz AS ticks, cpus FROM line CROSS JOIN host WHERE is_uptime AND line IS NOT NULL
), word AS (
  SELECT row, block, '[' || replace(json_quote(line), ' ', '","') || ']' AS words FROM line WHERE line IS NOT NULL AND NOT is_uptime
), process AS (
  SELECT block, CAST(json_extract(words, '$[0]') AS INTEGER) AS pid, CAST(json_extract(words, '$[13]') AS INTEGER) + CAST(json_extract(words, '$[14]') AS INTEGER) AS ticks,
    CAST(json_extract(words, '$[38]') AS INTEGER) AS cpu FROM word WHERE json_array_length(words) > 38
), span AS (
  SELECT b.block, a.stamp_ns, b.ticks - a.ticks AS ticks, b.cpus FROM up b JOIN up a ON a.block = b.block - 1 WHERE b.ticks <> a.ticks
), used AS (
  SELECT s.block, s.stamp_ns, s.ticks AS all_ticks, s.cpus, b.cpu, min(b.ticks - a.ticks, s.ticks) AS ticks
  FROM span s LEFT JOIN process b ON b.block = s.block AND EXISTS (SELECT 1 FROM process q WHERE q.block = s.block - 1 AND q.pid = b.pid) LEFT JOIN process a ON a.block = b.block - 1 AND a.pid = b.pid
)
SELECT stamp_ns, CAST(cpu AS TEXT) AS cpu, rounded(total(ticks) * 100 / all_ticks, 6) AS use FROM used WHERE cpu IS NOT NULL GROUP BY block, cpu HAVING use <= 100
UNION ALL
SELECT stamp_ns, 'Avg', coalesce(rounded(total(ticks) * 100 / (all_ticks * nullif(cpus, 0)), 6), 0.0) FROM used GROUP BY block;
-- @end

-- Samples of processors of the device: the function is in the first line of the stack that has a module. Control files tell what a processor is for.
-- @when EXISTS (SELECT 1 FROM cpu_perf_line)
DELETE FROM cpu_count;
INSERT INTO cpu_count
WITH counted AS (
  SELECT s.device_id, x.rowid AS row, x.core, x.event, x.count, trim(x.line, ' ' || char(9)) AS line, count(x.event) OVER (PARTITION BY s.device_id ORDER BY x.rowid) AS sample
  FROM source s CROSS JOIN cpu_perf_line x WHERE s.target = 'cpu_perf_line' AND x.rowid BETWEEN s.first_row AND s.last_row
), top AS (
  SELECT device_id, sample, min(row), substr(line, instr(line, ' ') + 1) AS line FROM counted WHERE event IS NULL AND line GLOB '* * *' GROUP BY device_id, sample
), cut AS (
  SELECT device_id, sample, trim(rtrim(line, replace(line, ' ', ''))) AS symbol, trim(substr(line, length(rtrim(line, replace(line, ' ', ''))) + 1), '()') AS module FROM top
), used AS (
  SELECT device_id, 'ai' AS kind, ',' || json_extract(text, '$.DeviceInfo[0].ai_cpu') || ',' AS cores FROM control WHERE name = 'info.json'
  UNION ALL SELECT device_id, 'ctrl', ',' || json_extract(text, '$.DeviceInfo[0].ctrl_cpu') || ',' FROM control WHERE name = 'info.json'
)
SELECT c.device_id, c.row, (SELECT min(kind) FROM used u WHERE u.device_id = c.device_id AND instr(cores, ',' || c.core || ',')), c.core,
  hex_int('0x0' || ltrim(replace(c.event, 'raw', ''), ' r0x')), c.count,
  CASE WHEN f.symbol IS NULL OR instr(f.symbol, 'unknown') THEN 'unknown' WHEN instr(f.symbol, '+') THEN rtrim(rtrim(f.symbol, replace(f.symbol, '+', '')), '+') ELSE f.symbol END,
  coalesce(f.module, 'unknown')
FROM counted c LEFT JOIN cut f USING (device_id, sample) WHERE c.event IS NOT NULL ORDER BY c.row;
-- @end
-- The unit for collectives: quarters of the counts until ranks 15, 14, ... answered, and delays of its channels. The places of channels are not all the same number of words from
-- each other: twelve are 64 words, the last eight 11, 5, 5 and 11 each.
-- @when EXISTS (SELECT 1 FROM ccu_mission)
DELETE FROM ccu_part;
CREATE TEMP TABLE launched AS SELECT device_id, task_id, min(stream_id) AS stream_id FROM task WHERE launch_ns IS NOT NULL GROUP BY device_id, task_id;
CREATE UNIQUE INDEX temp.launched_by_task ON launched(device_id, task_id);
INSERT INTO ccu_part
SELECT s.device_id, m.rowid, coalesce(t.stream_id, 65535), m.task_id, m.loop_instr_id, m.loop_ns, m.loop_dur_ns, m.wait_instr_id,
  CASE WHEN m.wait_count <> 0 THEN m.wait_ns END, CASE WHEN m.wait_count <> 0 THEN number_at(m.waits, 2 * r.value, 2) * 4000 / d.counter_mhz END,
  CASE WHEN m.wait_count <> 0 THEN 15 - r.value END
FROM source s CROSS JOIN ccu_mission m CROSS JOIN numbers(16) r LEFT JOIN device d ON d.device_id = s.device_id LEFT JOIN temp.launched t ON t.device_id = s.device_id AND t.task_id = m.task_id
WHERE s.target = 'ccu_mission' AND m.rowid BETWEEN s.first_row AND s.last_row AND (r.value = 0 OR m.wait_count <> 0) ORDER BY m.rowid, r.value;
DROP TABLE temp.launched;
CREATE TEMP TABLE wait_said AS SELECT stream_id, task_id, instr_id, die_id, mask, min(rowid) FROM ccu_wait_signal_info GROUP BY stream_id, task_id, instr_id;
CREATE UNIQUE INDEX temp.wait_said_of ON wait_said(stream_id, task_id, instr_id);
CREATE TEMP TABLE loop_said AS
SELECT stream_id, task_id, instr_id, die_id, data_size, reduce_type, input_type, output_type, min(rowid) FROM ccu_group_info GROUP BY stream_id, task_id, instr_id;
CREATE UNIQUE INDEX temp.loop_said_of ON loop_said(stream_id, task_id, instr_id);
DELETE FROM ccu_step;
INSERT INTO ccu_step
WITH part AS (
  SELECT device_id, stream_id, task_id, row, rank_id, wait_ns IS NOT NULL AS waits, CASE WHEN wait_ns IS NULL THEN loop_instr_id ELSE wait_instr_id END AS instr_id,
    coalesce(wait_ns, loop_ns) AS start_ns, coalesce(wait_ns + CAST(wait_dur_ns AS INTEGER), loop_ns + max(loop_dur_ns, 0)) AS end_ns FROM ccu_part p
), last AS (
  SELECT *, row_number() OVER (PARTITION BY device_id, stream_id, task_id, waits, instr_id
    ORDER BY CASE WHEN waits THEN end_ns END DESC, CASE WHEN waits THEN -row ELSE row END DESC, rank_id DESC) AS n
  FROM part
)
SELECT l.device_id, l.row, l.stream_id, l.task_id, l.waits, l.instr_id, l.rank_id, l.start_ns, l.end_ns, CASE WHEN waits THEN w.die_id ELSE g.die_id END, g.data_size, w.mask,
  CASE WHEN g.reduce_type <> 255 THEN coalesce((SELECT name FROM hccl_kind WHERE what = 'reduce' AND kind = g.reduce_type), g.reduce_type) END,
  CASE WHEN g.reduce_type <> 255 THEN coalesce((SELECT name FROM hccl_kind WHERE what = 'data' AND kind = g.input_type), g.input_type) END,
  CASE WHEN g.reduce_type <> 255 THEN coalesce((SELECT name FROM hccl_kind WHERE what = 'data' AND kind = g.output_type), g.output_type) END
FROM last l
LEFT JOIN temp.wait_said w ON waits AND w.stream_id = l.stream_id AND w.task_id = l.task_id AND w.instr_id = l.instr_id
LEFT JOIN temp.loop_said g ON NOT waits AND g.stream_id = l.stream_id AND g.task_id = l.task_id AND g.instr_id = l.instr_id
WHERE n = 1 ORDER BY l.device_id, l.start_ns, l.row;
DROP TABLE temp.wait_said;
DROP TABLE temp.loop_said;
-- @end
-- Launches of the host name the tasks of the processor for data.
-- @when EXISTS (SELECT 1 FROM dpu_track) OR EXISTS (SELECT 1 FROM dpu_hccl_info)
DELETE FROM dpu_task;
CREATE TEMP TABLE dpu_kernel AS SELECT device_id, task_id, kernel_name, min(rowid) FROM task_track WHERE device_id >= 4096 AND kernel_name <> 0 GROUP BY device_id, task_id;
CREATE UNIQUE INDEX temp.dpu_kernel_of ON dpu_kernel(device_id, task_id);
INSERT INTO dpu_task
SELECT h.dpu_device_id, h.rowid, h.stream_id, h.task_id, h.thread_id, h.start_ns, h.time_ns, coalesce((SELECT n.name FROM name n WHERE n.hash = h.item_id), printf('%u', h.item_id))
FROM dpu_hccl_info h ORDER BY h.rowid;
INSERT INTO dpu_task
SELECT d.device_id, NULL, d.stream_id, d.task_id, d.thread_id, d.start_ns, d.start_ns + d.dur_ns, coalesce((SELECT n.name FROM temp.dpu_kernel k JOIN name n ON n.hash = k.kernel_name
  WHERE k.device_id = (d.device_type << 12 | d.device_id) AND k.task_id = d.task_id), 'N/A')
FROM dpu_track d ORDER BY d.rowid;
DROP TABLE temp.dpu_kernel;
-- @end
-- @when EXISTS (SELECT 1 FROM v6_block)
DELETE FROM block_edge;
CREATE VIRTUAL TABLE temp.run USING intervals(
  SELECT device_id << 32 | task_id, start_ns, start_ns + dur_ns, id FROM task WHERE start_ns IS NOT NULL ORDER BY id);
INSERT INTO block_edge
WITH block AS (
  SELECT r.value AS id, v.core_type, v.core_id, v.start_ns, v.dur_ns, row_number() OVER (PARTITION BY r.value, v.core_type ORDER BY v.start_ns, v.rowid) AS first,
    row_number() OVER (PARTITION BY r.value, v.core_type ORDER BY v.start_ns DESC, v.rowid DESC) AS last
  FROM source s CROSS JOIN v6_block v CROSS JOIN temp.run r ON r.key = (s.device_id << 32 | v.task_id) AND r.at = v.start_ns
  WHERE s.target = 'v6_block' AND v.rowid BETWEEN s.first_row AND s.last_row
)
SELECT id, 2 * core_type + e.value, core_id, start_ns, dur_ns FROM block CROSS JOIN numbers(2) e WHERE pick(e.value, first, last) = 1 ORDER BY id, 2;
DROP TABLE temp.run;
-- @end
-- @when EXISTS (SELECT 1 FROM ccu_channel)
DELETE FROM ccu_delay;
INSERT INTO ccu_delay
WITH channel AS (
  SELECT value AS channel_id, 4 * CASE WHEN value < 120 THEN value / 12 * 64 + value % 12 * 5 ELSE 640 + (value - 120) / 4 * 32 + pick(value % 4, 6, 11, 16, 21) END AS place FROM numbers(128)
)
SELECT s.device_id, c.rowid, p.channel_id, d.host_monotonic_ns + CAST((number_at(c.samples, p.place, 8) - coalesce((SELECT CAST(trim(substr(text, instr(text, 'cntvct:') + 7)) AS INTEGER)
    FROM control k WHERE k.device_id = s.device_id AND k.name = 'dev_start.log'), 0)) * 1000 / d.counter_mhz AS INTEGER),
  number_at(c.samples, p.place + 8, 4) * 1.0 / d.counter_mhz, number_at(c.samples, p.place + 12, 4) * 1.0 / d.counter_mhz, number_at(c.samples, p.place + 16, 4) * 1.0 / d.counter_mhz
FROM source s CROSS JOIN ccu_channel c CROSS JOIN channel p JOIN device d ON d.device_id = s.device_id
WHERE s.target = 'ccu_channel' AND c.rowid BETWEEN s.first_row AND s.last_row AND number_at(c.samples, p.place, 8) <> 0 ORDER BY c.rowid, p.channel_id;
-- @end

-- Disks: a line is a sample, the first at the time that the file tells. Words are at any number of blanks from each other.
-- @when EXISTS (SELECT 1 FROM host_disk)
DELETE FROM host_disk_use;
INSERT INTO host_disk_use
WITH word AS (
  SELECT rowid AS row, '[' || replace(json_quote(replace(replace(replace(trim(line), ' ', ' ' || char(1)), char(1) || ' ', ''), char(1), '')), ' ', '","') || ']' AS words
  FROM host_disk WHERE line IS NOT NULL
), sample AS (
  SELECT row_number() OVER (ORDER BY row) - 1 AS n, words, json_array_length(words) >= 9 AND instr(words, 'unavailable') = 0 AS is_whole FROM word WHERE json_array_length(words) >= 6
), scale AS (
  SELECT (SELECT max(start_ns) FROM host_disk) AS start_ns, (SELECT 1e9 / CAST(json_extract(text, '$.host_disk_freq') AS REAL) FROM control
    WHERE name = 'sample.json' AND text IS NOT NULL AND CAST(json_extract(text, '$.host_disk_freq') AS REAL) > 0 ORDER BY device_id IS NOT NULL LIMIT 1) AS span_ns
)
SELECT CAST(coalesce(start_ns, 0) + n * span_ns AS INTEGER),
  json_extract(words, '$[2]') * CASE json_extract(words, '$[3]') WHEN 'B/s' THEN 0.0009765625 WHEN 'M/s' THEN 1024.0 WHEN 'G/s' THEN 1048576.0 ELSE 1.0 END,
  json_extract(words, '$[4]') * CASE json_extract(words, '$[5]') WHEN 'B/s' THEN 0.0009765625 WHEN 'M/s' THEN 1024.0 WHEN 'G/s' THEN 1048576.0 ELSE 1.0 END,
  CASE WHEN is_whole THEN CAST(json_extract(words, '$[8]') AS REAL) ELSE 0.0 END
FROM sample CROSS JOIN scale WHERE span_ns IS NOT NULL ORDER BY n;
-- @end

-- Calls of the program: the first one of each kind is taken to be made when the collection began, as neither clock is that of the host.
-- @when EXISTS (SELECT 1 FROM host_syscall) OR EXISTS (SELECT 1 FROM host_pthread)
DELETE FROM os_call;
CREATE TEMP TABLE waiting AS SELECT name FROM (SELECT DISTINCT name FROM host_syscall) WHERE EXISTS (SELECT 1 FROM os_call_word WHERE instr(name, word));
INSERT INTO os_call
WITH call AS (
  SELECT 1 AS kind, rowid AS row, tid, name, CAST(trim(start_s) AS REAL) * 1e6 AS start_us, CAST(trim(dur_s) AS REAL) * 1e9 AS dur_ns
  FROM host_pthread WHERE trim(start_s) GLOB '[0-9]*' AND trim(dur_s) GLOB '[0-9]*.[0-9]*'
  UNION ALL SELECT 2, rowid, coalesce(tid, (SELECT value FROM meta WHERE key = 'pid')), name, CAST(trim(start_ms) AS REAL) * 1000, CAST(trim(dur_ms) AS REAL) * 1000 * 1000
  FROM host_syscall WHERE trim(start_ms) GLOB '[0-9]*.[0-9]*' AND trim(dur_ms) GLOB '[0-9]*.[0-9]*'
), moved AS (
  SELECT *, round(start_us) - first_value(round(start_us)) OVER (PARTITION BY kind ORDER BY row) AS after_us FROM call WHERE start_us < 9e15 AND dur_ns < 9e18
)
SELECT tid, name, CAST(after_us AS INTEGER) * 1000 + coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'begin_ns'), 0), dur_ns
FROM moved WHERE CASE kind WHEN 1 THEN name <> 'pthread_once' ELSE name IN (SELECT name FROM temp.waiting) END ORDER BY kind, row;
DROP TABLE temp.waiting;
-- @end

-- Marks that a stream carries: the first part has their times, and all parts their text. On a device the steps 11 and 12 of a mark are one
-- stretch of time; from version 9.1 of the software on 11 is a moment, and two steps 12 are a stretch.
-- @when EXISTS (SELECT 1 FROM msproftx WHERE info_type = 1)
DELETE FROM stream_mark;
INSERT OR IGNORE INTO stream_mark
SELECT mark_id, process_id, tid, event_type, group_concat(message, '') OVER (PARTITION BY mark_id ORDER BY segment, rowid ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING),
  coalesce((SELECT name FROM name WHERE hash = x.domain), 'invalid'), start_ns, dur_ns
FROM msproftx x WHERE info_type = 1 ORDER BY segment, rowid;
-- @end
-- @when EXISTS (SELECT 1 FROM ts_step WHERE tag_id IN (11, 12))
DELETE FROM device_mark;
INSERT INTO device_mark
WITH step AS (
  SELECT s.device_id, t.*, t.rowid AS row, row_number() OVER (PARTITION BY s.device_id, t.index_id, t.tag_id ORDER BY t.time_ns, t.rowid) AS n,
    coalesce((SELECT CAST(v AS INTEGER) * 1000 + CAST(substr(v, instr(v || '.', '.') + 1) AS INTEGER)
      FROM (SELECT json_extract(text, '$.cannVersion') AS v FROM control c WHERE c.name = 'info.json' AND c.device_id = s.device_id)), 0) >= 9001 AS is_new
  FROM source s CROSS JOIN ts_step t WHERE s.target = 'ts_step' AND t.rowid BETWEEN s.first_row AND s.last_row AND t.tag_id IN (11, 12)
), stretch AS (
  SELECT *, CASE WHEN NOT is_new THEN 0 WHEN tag_id = 11 THEN row ELSE -(n + 1) / 2 END AS part FROM step
)
SELECT index_id, device_id, stream_id, task_id, model_id, start_ns, dur_ns FROM (
  SELECT DISTINCT device_id, index_id, part, first_value(stream_id) OVER w AS stream_id, first_value(task_id) OVER w AS task_id, first_value(model_id) OVER w AS model_id,
    first_value(time_ns) OVER w AS start_ns, last_value(time_ns) OVER w - first_value(time_ns) OVER w AS dur_ns, count(*) OVER w AS steps
  FROM stretch WINDOW w AS (PARTITION BY device_id, index_id, part ORDER BY time_ns, row ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
) WHERE part >= 0 OR steps = 2 ORDER BY device_id, index_id, start_ns;
-- @end

-- The L2 cache and the TLB of a task, if all events of their rates were counted. The counters of the chip (soc_pmu) are of kind 1 for the L2 cache, of kind 2 for the TLB.
-- @when EXISTS (SELECT 1 FROM l2_cache) OR EXISTS (SELECT 1 FROM soc_pmu)
DELETE FROM l2_task;
DELETE FROM tlb_task;
CREATE TEMP TABLE cache_place AS
SELECT c.device_id, w.what GLOB 'tlb *' AS is_tlb, replace(w.what, 'tlb ', '') AS what, w.factor, e.key AS place
FROM setting c JOIN l2_event w USING (chip)
LEFT JOIN json_each('[' || replace(json_quote(CASE WHEN w.what GLOB 'tlb *' THEN c.tlb_events ELSE c.l2_events END), ',', '","') || ']') e
ON CASE WHEN w.what GLOB 'tlb *' THEN c.tlb_events ELSE c.l2_events END IS NOT NULL AND hex_int(lower(trim(e.value))) = w.event AND e.key < 8;
DELETE FROM temp.cache_place WHERE (device_id, is_tlb) IN (SELECT device_id, is_tlb FROM temp.cache_place WHERE place IS NULL);
CREATE TEMP TABLE cache_task AS
SELECT device_id, is_tlb, stream_id, task_id, coalesce(rounded(hits / nullif(requests, 0), 6), 0.0) AS hit_rate, coalesce(rounded(victims / nullif(requests, 0), 6), 0.0) AS victim_rate
FROM (
  SELECT l.device_id, p.is_tlb, l.stream_id, l.task_id, l.kind, l.row,
    total(p.factor * pick(p.place, event0, event1, event2, event3, event4, event5, event6, event7)) FILTER (WHERE p.what = 'request') AS requests,
    total(p.factor * pick(p.place, event0, event1, event2, event3, event4, event5, event6, event7)) FILTER (WHERE p.what = 'hit') AS hits,
    total(p.factor * pick(p.place, event0, event1, event2, event3, event4, event5, event6, event7)) FILTER (WHERE p.what = 'victim') AS victims
  FROM (
    SELECT 0 AS kind, s.device_id, c.rowid AS row, c.* FROM source s CROSS JOIN l2_cache c WHERE s.target = 'l2_cache' AND c.rowid BETWEEN s.first_row AND s.last_row
    UNION ALL
    SELECT p.data_type, s.device_id, p.rowid, p.task_type, p.stream_id, p.task_id, event0, event1, event2, event3, event4, event5, event6, event7
    FROM source s CROSS JOIN soc_pmu p WHERE s.target = 'soc_pmu' AND p.rowid BETWEEN s.first_row AND s.last_row AND p.data_type IN (1, 2)) l
  CROSS JOIN temp.cache_place p ON p.device_id = l.device_id AND p.is_tlb = (l.kind = 2) GROUP BY l.kind, l.row) ORDER BY kind, row;
INSERT INTO l2_task SELECT device_id, stream_id, task_id, hit_rate, victim_rate FROM temp.cache_task WHERE NOT is_tlb ORDER BY rowid;
INSERT INTO tlb_task SELECT device_id, stream_id, task_id, hit_rate, victim_rate FROM temp.cache_task WHERE is_tlb ORDER BY rowid;
DROP TABLE temp.cache_task;
DROP TABLE temp.cache_place;
-- @end

DROP TABLE temp.sampler;

-- What reports ask of the control files. A database of an earlier schema gets it when it is read.
UPDATE setting SET mhz = i.mhz, cores = i.cores, aiv_cores = i.aiv_cores, old_driver = i.driver < 467473
FROM (SELECT c.device_id,
    coalesce(nullif(CAST(m.value AS INTEGER), 0), CAST(json_extract(c.text, '$.DeviceInfo[0].aic_frequency') AS INTEGER)) AS mhz,
    CAST(json_extract(c.text, '$.DeviceInfo[0].ai_core_num') AS INTEGER) AS cores,
    CAST(json_extract(c.text, '$.DeviceInfo[0].aiv_num') AS INTEGER) AS aiv_cores,
    CAST(json_extract(c.text, '$.drvVersion') AS INTEGER) AS driver
  FROM control c JOIN meta m ON m.key = 'frequency_option' WHERE c.name = 'info.json') i
WHERE i.device_id = setting.device_id;
UPDATE setting SET aic_metrics = s.aic_metrics, aiv_metrics = s.aiv_metrics, sampled = s.mode IS 'sample-based'
FROM (SELECT device_id, json_extract(text, '$.ai_core_metrics') AS aic_metrics, json_extract(text, '$.aiv_metrics') AS aiv_metrics,
    json_extract(text, '$.ai_core_profiling_mode') AS mode
  FROM control WHERE name = 'sample.json') s
WHERE s.device_id = setting.device_id;

-- The metrics that the counters of a device make: of the group of sample.json, else of the largest group whose events are counted.
-- Events of a group without a name here make the metrics that need no others. Events that are chosen one by one (Custom:) are counts. A
-- metric has a row for each of its events, with the position of the event's counter.
DELETE FROM core_metric;
INSERT INTO core_metric
WITH counted AS (
  SELECT DISTINCT c.device_id, c.core, coalesce(h.metrics, 'two') AS kind,
    CASE c.core WHEN 'aic' THEN s.aic_metrics ELSE s.aiv_metrics END AS asked
  FROM counter c LEFT JOIN setting s ON s.device_id = c.device_id LEFT JOIN chip h ON h.chip = s.chip
), part AS (
  SELECT d.device_id, d.core, d.kind, d.asked, f.metrics, f.place, f.name, f.what, f.event, f.weight, f.per, f.rowid AS row,
    (SELECT c.position FROM counter c WHERE c.device_id = d.device_id AND c.core = d.core AND c.event = f.event) AS position,
    (SELECT c.position FROM counter c WHERE c.device_id = d.device_id AND c.core = d.core AND c.event = f.per) AS per_position
  FROM counted d JOIN formula f ON (f.kinds IS NULL OR instr(f.kinds, d.kind) > 0) AND coalesce(d.asked NOT LIKE 'Custom:%', 1)
), whole AS (
  SELECT device_id, core, metrics, row_number() OVER (PARTITION BY device_id, core ORDER BY metrics IS NOT asked, count(*) DESC, metrics) AS n
  FROM part GROUP BY device_id, core, metrics HAVING count(position) = count(*) AND count(per_position) = count(per)
), single AS (
  SELECT device_id, core, metrics, name, row_number() OVER (PARTITION BY device_id, core, name ORDER BY min(row)) AS n
  FROM part p WHERE (p.device_id, p.core) NOT IN (SELECT device_id, core FROM whole)
    AND NOT EXISTS (SELECT 1 FROM formula f WHERE f.metrics = p.asked)
  GROUP BY device_id, core, metrics, name HAVING count(position) = count(*) AND count(per_position) = count(per)
)
SELECT p.device_id, p.core, p.kind, p.place, p.name, p.what, p.event, p.weight, p.row, p.position, p.per_position
FROM part p WHERE (p.device_id, p.core, p.metrics) IN (SELECT device_id, core, metrics FROM whole WHERE n = 1)
UNION ALL
SELECT p.device_id, p.core, p.kind, min(p.row) OVER (PARTITION BY p.device_id, p.core, p.name, p.metrics), p.name, p.what, p.event, p.weight, p.row, p.position,
  p.per_position
FROM part p WHERE (p.device_id, p.core, p.metrics, p.name) IN (SELECT device_id, core, metrics, name FROM single WHERE n = 1)
UNION ALL
SELECT d.device_id, d.core, d.kind, c.position, printf('r%x', c.event), 'count', c.event, 1, c.position, c.position, NULL
FROM counted d JOIN counter c USING (device_id, core) WHERE d.asked LIKE 'Custom:%';

-- @when EXISTS (SELECT 1 FROM setting s JOIN chip c ON c.chip = s.chip WHERE c.old)
-- The times of cores of the older style have two decimals.
UPDATE task SET aic_us = rounded(aic_us, 2), aiv_us = rounded(aiv_us, 2)
WHERE device_id IN (SELECT s.device_id FROM setting s JOIN chip c ON c.chip = s.chip WHERE c.old) AND (aic_us IS NOT NULL OR aiv_us IS NOT NULL);
-- @end

-- What cores did, a word at a time: four words are a time of the counter and the number of a block, the others say after how many cycles of the core something changed.
-- Words of only ones but one bit end a block, and those after it are dd.
-- @when EXISTS (SELECT 1 FROM instr_word)
DELETE FROM instr_part;
CREATE TEMP TABLE instr_step AS
WITH word AS (
  SELECT s.device_id, substr(s.file, instr(s.file, 'perf_group') + 10, instr(substr(s.file, instr(s.file, 'perf_group')), '.') - 11) AS core, w.rowid AS row, w.cycles, w.events, w.kind,
    w.kind = 14 AS timed
  FROM source s CROSS JOIN instr_word w WHERE s.target = 'instr_word' AND w.rowid BETWEEN s.first_row AND s.last_row
    AND NOT (w.cycles = 65535 AND w.events = 4095 AND w.kind = 14) AND NOT (w.cycles = 56797 AND w.events = 3549 AND w.kind = 13)
), island AS (
  SELECT *, row_number() OVER (PARTITION BY device_id, core ORDER BY row) - row_number() OVER (PARTITION BY device_id, core, timed ORDER BY row) AS island FROM word
), placed AS (
  SELECT *, timed AND row_number() OVER (PARTITION BY device_id, core, timed, island ORDER BY row) % 4 = 0 AS told,
    lag(cycles, 3) OVER seen | (lag(cycles, 2) OVER seen << 16) | (lag(cycles) OVER seen << 32) | (cycles << 48) AS count,
    (lag(events, 3) OVER seen & 255) | ((lag(events, 2) OVER seen & 255) << 8) AS block_id
  FROM island WINDOW seen AS (PARTITION BY device_id, core ORDER BY row)
), numbered AS (
  SELECT *, count(*) FILTER (WHERE told) OVER (PARTITION BY device_id, core ORDER BY row) AS number FROM placed
), summed AS (
  SELECT *, max(CASE WHEN told THEN count END) OVER block AS begun, max(CASE WHEN told THEN block_id END) OVER block AS block, total(CASE WHEN timed THEN 0
    ELSE cycles END) OVER (block ORDER BY row) AS ran
  FROM numbered WHERE number > 0 WINDOW block AS (PARTITION BY device_id, core, number)
)
SELECT w.device_id, w.core, w.row, w.kind, w.events, w.block AS block_id, d.host_monotonic_ns + CAST((w.begun - coalesce((SELECT CAST(trim(substr(text, instr(text, 'cntvct:') + 7)) AS INTEGER)
    FROM control k WHERE k.device_id = w.device_id AND k.name = 'dev_start.log'), 0)) * 1000 / d.counter_mhz + w.ran * 1000 / c.mhz AS INTEGER) AS time_ns
FROM summed w JOIN device d ON d.device_id = w.device_id JOIN setting c ON c.device_id = w.device_id WHERE NOT w.timed;
INSERT INTO instr_part
WITH state AS (
  SELECT i.*, b.value AS bit, events >> b.value & 1 AS is_on, lag(events >> b.value & 1, 1, 0) OVER (PARTITION BY device_id, core, b.value ORDER BY row) AS was_on
  FROM temp.instr_step i CROSS JOIN numbers(7) b WHERE kind = 15
), change AS (
  SELECT *, lag(time_ns) OVER (PARTITION BY device_id, core, bit ORDER BY row) AS since_ns FROM state WHERE is_on <> was_on
), part AS (
  SELECT device_id, core, row, bit, block_id, since_ns AS start_ns, time_ns - since_ns AS dur_ns, NULL AS mark FROM change WHERE NOT is_on
  UNION ALL SELECT device_id, core, row, kind, block_id, time_ns, 0, events FROM temp.instr_step WHERE kind < 7
)
SELECT device_id, core, pick(bit, 'SU', 'VEC', 'CUBE', 'MTE1', 'MTE2', 'MTE3', 'FIXP'), block_id, start_ns, dur_ns, mark FROM part ORDER BY device_id, core, row, bit;
DROP TABLE temp.instr_step;
-- @end
