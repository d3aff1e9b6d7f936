-- What must be true of samples of memories, links, processors and cores. Runs after the checks of the family, which tell the time of the collection in told, and in
-- sample_clock what to add for ns of the host: to stamps from the start of the device (zero_ns), of its clock (own_ns), of the day or version 2.0 (day_ns).
-- sql/checks.sql says what follows, and when a trial fails. No check reads all rows of a large table.

-- is_steady: taken at intervals that a user chose, of 100 us at least. goes_on: amounts are counted from the start, and not for each sample anew. No amount passes in a ns
-- that is larger than `most`.
CREATE TEMP TABLE sampled(target TEXT PRIMARY KEY, about TEXT, what TEXT, is_steady INTEGER, goes_on INTEGER, most REAL, unit TEXT, file TEXT);
INSERT INTO sampled(target, about, what, is_steady, goes_on, most, unit) VALUES ('hbm', 'memory', 'HBM', 1, 0, 2000, 'bytes'), ('ddr', 'memory', 'DDR', 1, 0, 1000, 'bytes'), ('llc', 'memory',
  'a cache', 1, 0, 10000, 'bytes'),
  ('npu_mem', 'memory', 'memory', 0, NULL, NULL, NULL), ('npu_module_mem', 'memory', 'memory', 0, NULL, NULL, NULL), ('l2_cache', 'memory', 'a cache', 0, NULL, NULL, NULL),
  ('pcie', 'links', 'PCIe', 1, NULL, NULL, NULL), ('nic', 'links', 'a port', 1, 1, 250, 'bytes'), ('roce', 'links', 'a port', 1, 1, 250, 'bytes'), ('hccs', 'links', 'HCCS', 1, 1, 2000, 'bytes'),
  ('qos', 'links', 'traffic', 0, NULL, NULL, NULL), ('stars_qos', 'links', 'traffic', 0, NULL, NULL, NULL), ('sio', 'links', 'traffic', 0, NULL, NULL, NULL),
  ('dvpp', 'usage', 'an engine', 1, NULL, NULL, NULL), ('device_cpu', 'usage', 'a processor', 1, 1, 1e-5, 'ticks'), ('device_memory', 'usage', 'memory', 1, NULL, NULL, NULL),
  ('host_cpu', 'usage', 'a processor', 1, NULL, NULL, NULL), ('host_memory', 'usage', 'memory', 1, NULL, NULL, NULL), ('host_network', 'usage', 'a card', 0, 1, 250, 'bytes'),
  ('cpu_sample', 'usage', 'a processor', 0, 1, 0.005, 'us'), ('memory_sample', 'usage', 'memory', 0, NULL, NULL, NULL), ('process_sample', 'usage', 'a process', 0, 1, NULL, NULL),
  ('process_cpu', 'usage', 'a process', 1, NULL, NULL, NULL), ('process_memory', 'usage', 'a process', 1, NULL, NULL, NULL),
  ('aicore_sample', 'cores', 'a core', 0, 0, 4.4, 'cycles'), ('aiv_sample', 'cores', 'a core', 0, 0, 4.4, 'cycles');
INSERT INTO temp.kind_of SELECT target, about FROM temp.sampled;
INSERT INTO standing(about, place, what)
SELECT column1, column2, column3 FROM (VALUES ('memory', 11, 'samples of memory'), ('links', 12, 'samples of links'), ('usage', 13, 'samples of use'), ('cores', 14, 'samples of cores'))
WHERE EXISTS (SELECT 1 FROM source JOIN temp.sampled USING (target) WHERE about = column1 AND records > 0);

-- Records that are looked at: all, or 4 times 256 that follow each other, of at most 8 files of each kind.
CREATE TEMP TABLE piece AS
SELECT s.target, s.id AS source, s.device_id, s.file, s.first_row + s.rows * w.value / s.places AS first_row,
  min(s.first_row + s.rows * w.value / s.places + 255, s.first_row + s.rows * (w.value + 1) / s.places - 1) AS last_row, c.zero_ns, c.own_ns, c.day_ns
FROM (SELECT *, last_row - first_row + 1 AS rows, min((last_row - first_row) / 256 + 1, 4) AS places, row_number() OVER (PARTITION BY target ORDER BY id) - 1 AS number,
    count(*) OVER (PARTITION BY target) / 8 + 1 AS step
  FROM source WHERE target IN (SELECT target FROM temp.sampled) AND records > 0 AND last_row >= first_row) s
CROSS JOIN numbers(s.places) w LEFT JOIN temp.sample_clock c ON c.device_id = s.device_id WHERE s.number % s.step = 0;
UPDATE temp.sampled SET file = (SELECT min(p.file) FROM temp.piece p WHERE p.target = sampled.target);

-- Their stamps in ns, and in ns of the host where that clock is known; and amounts, of a channel, a port, an engine each. A piece is known by its first row.
CREATE TEMP TABLE sample(target TEXT, piece INTEGER, row INTEGER, series, amount INTEGER, at_ns INTEGER, time_ns INTEGER);

-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'hbm')
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, 2 * h.hbm_id + (h.type <> 0), h.count * 32, coalesce(h.stamp_ns, h.stamp_us * 1000), coalesce(h.stamp_ns + p.day_ns, h.stamp_us * 1000 + p.zero_ns)
FROM temp.piece p CROSS JOIN hbm h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'hbm';
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found, least)
SELECT 'hbm_channels', 'memory', 'doubt', 'channels 0 to 63 of HBM are read or written', count(*), count(*) * (total(hbm_id > 63 OR type > 1) * 4 > count(*)), min(p.file),
  'access ' || max(type) || ' of channel ' || max(hbm_id), 4
FROM temp.piece p CROSS JOIN hbm h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'hbm';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'ddr')
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, h.controller || ' ' || h.master_id || ' ' || (h.type <> 0), h.count * 16, h.stamp_us * 1000, h.stamp_us * 1000 + p.zero_ns
FROM temp.piece p CROSS JOIN ddr h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'ddr';
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found, least)
SELECT 'ddr_controllers', 'memory', 'doubt', 'controllers 0 to 63 of DDR are read or written', count(*), count(*) * (total(controller > 63 OR type > 1) * 4 > count(*)), min(p.file),
  'access ' || max(type) || ' of controller ' || max(controller), 4
FROM temp.piece p CROSS JOIN ddr h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'ddr';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'llc')
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, h.l3t_id || ' ' || h.event, h.count * 64, coalesce(h.stamp_ns, h.stamp_us * 1000), coalesce(h.stamp_ns + p.day_ns, h.stamp_us * 1000 + p.zero_ns)
FROM temp.piece p CROSS JOIN llc h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'llc';
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found, least)
SELECT 'llc_events', 'memory', 'doubt', 'events 0 to 255 are counted of caches 0 to 255', count(*), count(*) FILTER (WHERE l3t_id > 255 OR event > 255), min(p.file),
  'event ' || max(event) || ' of cache ' || max(l3t_id), 4
FROM temp.piece p CROSS JOIN llc h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'llc'
UNION ALL SELECT 'llc_ids', 'memory', 'doubt', 'a quarter of the numbers of caches are used', max(l3t_id) + 1, (max(l3t_id) + 1) * (max(l3t_id) >= 4 * count(DISTINCT l3t_id)), min(p.file),
  'cache ' || max(l3t_id) || ' is one of ' || count(DISTINCT l3t_id), 4
FROM temp.piece p CROSS JOIN llc h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'llc';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'npu_mem')
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, h.event, NULL, h.stamp_us * 1000, h.stamp_us * 1000 + p.zero_ns
FROM temp.piece p CROSS JOIN npu_mem h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'npu_mem';
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found, least)
SELECT 'npu_mem', 'memory', 'doubt', 'the application or the device uses at most 1 TiB', count(*), count(*) FILTER (WHERE event > 1 OR max(ddr_bytes, hbm_bytes) > 1 << 40), min(p.file),
  max(max(ddr_bytes, hbm_bytes)) || ' bytes', 4
FROM temp.piece p CROSS JOIN npu_mem h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'npu_mem';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'npu_module_mem')
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, h.module_id, NULL, h.time_ns, h.time_ns FROM temp.piece p CROSS JOIN npu_module_mem h ON h.rowid BETWEEN p.first_row AND p.last_row
  WHERE p.target = 'npu_module_mem';
-- more than 63 bits are a place that nobody wrote
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found, least)
SELECT 'npu_module_mem', 'memory', 'doubt', 'one of 1024 modules uses at most 1 TiB', count(*), count(*) FILTER (WHERE module_id > 1023 OR (total_bytes > 1 << 40
  AND total_bytes < 9223372036854775807)),
  min(p.file), max(total_bytes) || ' bytes', 4
FROM temp.piece p CROSS JOIN npu_module_mem h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'npu_module_mem';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'pcie')
INSERT INTO temp.sample SELECT p.target, p.first_row, h.rowid, 0, NULL, h.stamp, h.stamp + p.own_ns FROM temp.piece p CROSS JOIN pcie h ON h.rowid BETWEEN p.first_row AND p.last_row
  WHERE p.target = 'pcie';
-- Counters of PCIe have 20 bits. Where nothing was counted, there is no order.
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found, least)
SELECT 'pcie_means', 'links', 'doubt', 'means lie between the least and the most', total_int(counted), total_int(counted) * max(counted >= 16 AND odd > 0.9 * counted), file,
  max(odd) || ' of ' || max(counted) || ' do not', 64
FROM (SELECT min(p.file) AS file, count(*) AS counted,
    count(*) FILTER (WHERE pick(n.value, tx_p_avg, tx_np_avg, tx_cpl_avg, tx_latency_avg, rx_p_avg, rx_np_avg, rx_cpl_avg) NOT BETWEEN
      pick(n.value, tx_p_min, tx_np_min, tx_cpl_min, tx_latency_min, rx_p_min, rx_np_min, rx_cpl_min) AND pick(n.value, tx_p_max, tx_np_max, tx_cpl_max, tx_latency_max, rx_p_max, rx_np_max,
        rx_cpl_max)) AS odd
  FROM temp.piece p CROSS JOIN pcie h ON h.rowid BETWEEN p.first_row AND p.last_row CROSS JOIN numbers(7) n
  WHERE p.target = 'pcie' AND pick(n.value, tx_p_max, tx_np_max, tx_cpl_max, tx_latency_max, rx_p_max, rx_np_max, rx_cpl_max) > 0 GROUP BY n.value)
UNION ALL SELECT 'pcie_rate', 'links', 'doubt', 'PCIe moves at most 1049 bytes in a nanosecond', count(*), count(*) FILTER (WHERE max(tx_p_max, tx_np_max, tx_cpl_max, tx_latency_min, rx_p_max,
  rx_np_max, rx_cpl_max) > 1048576), min(p.file),
  max(max(tx_p_max, tx_np_max, tx_cpl_max, rx_p_max, rx_np_max, rx_cpl_max)) || ' bytes a us', 16
FROM temp.piece p CROSS JOIN pcie h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'pcie';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target IN ('nic', 'roce'))
CREATE TEMP TABLE port AS
SELECT p.target, p.first_row AS piece, p.file, p.own_ns, h.rowid AS row, h.* FROM temp.piece p CROSS JOIN nic h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'nic'
  AND h.stamp_ns IS NOT NULL
UNION ALL
SELECT p.target, p.first_row, p.file, p.own_ns, h.rowid, h.* FROM temp.piece p CROSS JOIN roce h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'roce' AND h.stamp_ns IS NOT NULL;
INSERT INTO temp.sample SELECT target, piece, row, coalesce(func_id, 0), rx_bytes + tx_bytes, stamp_ns, stamp_ns + own_ns FROM temp.port;
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found)
SELECT target || ' share', 'links', 'doubt', 'a port receives and sends no more than its bandwidth', count(*), count(*) FILTER (WHERE max(rx_byte, tx_byte) * 8 > bandwidth * 1100000.0), min(file),
  max(max(rx_byte, tx_byte) * 8 / 1000000) || ' Mbit/s' FROM temp.port WHERE bandwidth > 0 GROUP BY target
UNION ALL SELECT target || ' bandwidth', 'links', 'doubt', 'a port has at most 2,000,000 Mbit/s', count(*), count(*) FILTER (WHERE bandwidth > 2000000), min(file), max(bandwidth) || ' Mbit/s'
FROM temp.port GROUP BY target
UNION ALL SELECT target || ' packets', 'links', 'doubt', 'packets have 20 bytes or more', count(*), count(*) FILTER (WHERE rx_byte < 20 * rx_packet OR tx_byte < 20 * tx_packet), min(file),
  CAST(min(1.0 * rx_byte / nullif(rx_packet, 0)) AS INTEGER) || ' bytes' FROM temp.port GROUP BY target
UNION ALL SELECT target || ' errors', 'links', 'doubt', 'a port has fewer errors than packets', count(*),
  count(*) FILTER (WHERE max(rx_errors, rx_dropped) >= rx_packets OR max(tx_errors, tx_dropped) >= tx_packets), min(file), NULL FROM temp.port WHERE rx_packets > 0 AND tx_packets > 0 GROUP BY target;
DROP TABLE temp.port;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'hccs')
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, 0, h.tx + h.rx, h.stamp_ns, h.stamp_ns + p.own_ns
FROM temp.piece p CROSS JOIN hccs h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'hccs' AND h.stamp_ns IS NOT NULL;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target IN ('qos', 'stars_qos', 'sio'))
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, 0, NULL, h.time_ns, h.time_ns FROM temp.piece p CROSS JOIN qos h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'qos'
UNION ALL SELECT p.target, p.first_row, h.rowid, h.die_id, NULL, h.time_ns, h.time_ns FROM temp.piece p CROSS JOIN stars_qos h ON h.rowid BETWEEN p.first_row AND p.last_row
  WHERE p.target = 'stars_qos'
UNION ALL SELECT p.target, p.first_row, h.rowid, h.die_id || ' ' || h.acc_id, NULL, h.time_ns, h.time_ns FROM temp.piece p CROSS JOIN sio h ON h.rowid BETWEEN p.first_row AND p.last_row
  WHERE p.target = 'sio';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'dvpp')
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, h.dvpp_id || ' ' || h.engine_type || ' ' || h.engine_id, NULL, h.stamp_ns, h.stamp_ns + p.own_ns
FROM temp.piece p CROSS JOIN dvpp h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'dvpp' AND h.stamp_ns IS NOT NULL;
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found)
SELECT 'dvpp_use', 'usage', 'contradiction', 'an engine is used for at most 100 %', count(*), count(*) FILTER (WHERE max(CAST(all_use AS REAL), CAST(proc_use AS REAL)) > 100), min(p.file),
  max(CAST(all_use AS REAL)) || ' %'
FROM temp.piece p CROSS JOIN dvpp h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'dvpp' AND h.stamp_ns IS NOT NULL
UNION ALL SELECT 'dvpp_engines', 'usage', 'doubt', 'an engine is one of 64 of 7 types', count(*), count(*) FILTER (WHERE engine_type > 6 OR engine_id > 63), min(p.file), 'type ' || max(engine_type)
FROM temp.piece p CROSS JOIN dvpp h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'dvpp' AND h.stamp_ns IS NOT NULL;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'device_cpu')
CREATE TEMP TABLE processor AS
SELECT p.first_row AS piece, p.file, p.own_ns, h.rowid AS row, h.cpu, user + nice + system + idle + iowait + irq + softirq + steal AS ticks,
  max(h.stamp_ns) OVER (PARTITION BY p.first_row ORDER BY h.rowid) AS stamp_ns
FROM temp.piece p CROSS JOIN device_cpu h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'device_cpu';
INSERT INTO temp.sample
SELECT 'device_cpu', piece, row, coalesce(cpu, -1), CASE WHEN cpu IS NOT NULL THEN ticks END, stamp_ns, stamp_ns + own_ns FROM temp.processor WHERE ticks IS NOT NULL AND stamp_ns IS NOT NULL;
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found)
SELECT 'ticks_together', 'usage', 'doubt', 'the ticks of all processors are those of each together', count(*), count(*) FILTER (WHERE max(every - each, each - every) > every * 0.2 + 20), min(file),
  max(each) || ' of ' || max(every)
FROM (SELECT min(file) AS file, total(ticks) FILTER (WHERE cpu IS NULL) AS every, total(ticks) FILTER (WHERE cpu IS NOT NULL) AS each, count(*) FILTER (WHERE cpu IS NOT NULL
  AND ticks IS NOT NULL) AS cpus,
    piece, stamp_ns, max(row) AS row FROM temp.processor WHERE stamp_ns IS NOT NULL GROUP BY piece, stamp_ns)
WHERE every > 0 AND cpus = (SELECT count(DISTINCT cpu) FROM temp.processor);
DROP TABLE temp.processor;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target = 'device_memory')
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, 0, NULL, h.value, h.value + p.own_ns
FROM temp.piece p CROSS JOIN device_memory h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'device_memory' AND h.name = 'TimeStamp';
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found, least)
SELECT 'memory_free', 'usage', 'contradiction', 'no more memory is free than there is', count(*), count(*) FILTER (WHERE free_kb > total_kb), min(file),
  max(free_kb) || ' of ' || max(total_kb) || ' kB', 3
FROM (SELECT min(file) AS file, max(value) FILTER (WHERE name = 'MemTotal') AS total_kb, max(value) FILTER (WHERE name = 'MemFree') AS free_kb FROM (
    SELECT p.first_row AS piece, p.file, trim(h.name) AS name, h.value, count(*) FILTER (WHERE h.name = 'TimeStamp') OVER (PARTITION BY p.first_row ORDER BY h.rowid) AS number
    FROM temp.piece p CROSS JOIN device_memory h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'device_memory') GROUP BY piece, number)
WHERE total_kb IS NOT NULL AND free_kb IS NOT NULL
UNION ALL SELECT 'memory_size', 'usage', 'doubt', 'a device has 64 MB to 4 TB of memory', count(*), count(*) FILTER (WHERE h.value NOT BETWEEN 65536 AND 1 << 32), min(p.file), max(h.value) || ' kB', 3
FROM temp.piece p CROSS JOIN device_memory h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'device_memory' AND trim(h.name) = 'MemTotal';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target IN ('host_cpu', 'host_memory', 'host_network'))
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, 0, NULL, h.stamp_ns, h.stamp_ns
FROM temp.piece p CROSS JOIN host_cpu h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'host_cpu' AND h.stamp_ns IS NOT NULL
UNION ALL SELECT p.target, p.first_row, h.rowid, 0, NULL, h.stamp_ns, h.stamp_ns
FROM temp.piece p CROSS JOIN host_memory h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'host_memory'
UNION ALL SELECT p.target, p.first_row, row, coalesce(trim(card), ''), rx_bytes + tx_bytes, at_ns, at_ns
FROM (SELECT p.*, h.rowid AS row, h.card, h.rx_bytes, h.tx_bytes, max(h.stamp_ns) OVER (PARTITION BY p.first_row ORDER BY h.rowid) AS at_ns
      FROM temp.piece p CROSS JOIN host_network h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'host_network') p WHERE card IS NOT NULL AND at_ns IS NOT NULL;
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found)
SELECT 'pages', 'usage', 'contradiction', 'no more pages are in memory than the program has', count(*), count(*) FILTER (WHERE resident > size), min(p.file), max(resident) || ' of ' || max(size)
FROM temp.piece p CROSS JOIN host_memory h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'host_memory'
UNION ALL SELECT 'host_use', 'usage', 'doubt', 'processors, memory and network of the host are used for at most 100 %', count(*), count(*) FILTER (WHERE use NOT BETWEEN 0 AND 100), NULL,
  max(use) || ' %'
FROM (SELECT use FROM (SELECT use FROM host_cpu_use LIMIT 1024) UNION ALL SELECT use FROM (SELECT use FROM host_memory_use LIMIT 1024) UNION ALL SELECT use FROM (SELECT use
  FROM host_network_use LIMIT 1024));
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target IN ('cpu_sample', 'memory_sample', 'process_sample'))
INSERT INTO temp.sample
SELECT p.target, p.first_row, h.rowid, h.cpu, CASE WHEN cpu <> 'all' THEN user_us + system_us + iowait_us + irq_us + softirq_us + idle_us END, h.time_ns, h.time_ns
FROM temp.piece p CROSS JOIN cpu_sample h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'cpu_sample'
UNION ALL SELECT p.target, p.first_row, h.rowid, 0, NULL, h.time_ns, h.time_ns
FROM temp.piece p CROSS JOIN memory_sample h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'memory_sample'
UNION ALL SELECT p.target, p.first_row, h.rowid, h.pid, user_us + system_us, h.time_ns, h.time_ns
FROM temp.piece p CROSS JOIN process_sample h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'process_sample';
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found)
SELECT 'memory_available', 'usage', 'contradiction', 'no more memory is free than there is', count(*), count(*) FILTER (WHERE max(free_kb, available_kb) > total_kb), min(p.file), NULL
FROM temp.piece p CROSS JOIN memory_sample h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'memory_sample'
UNION ALL SELECT 'resident', 'usage', 'contradiction', 'no more of a process is in memory than it has', count(*), count(*) FILTER (WHERE resident_kb > size_kb), min(p.file), NULL
FROM temp.piece p CROSS JOIN process_sample h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'process_sample';
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target IN ('process_cpu', 'process_memory'))
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found)
SELECT 'process_ticks', 'usage', 'contradiction', 'a process takes no more ticks than all processors', count(*), count(*) FILTER (WHERE ticks > all_ticks),
  min(file), max(ticks) || ' of ' || max(all_ticks)
FROM (SELECT file, total(user + system) AS ticks, total(all_user + all_nice + all_system + all_idle + all_iowait + all_irq + all_softirq + all_steal + all_guest + all_guest_nice) AS all_ticks
  FROM (SELECT p.file, p.first_row, h.*, count(h.stamp_ns) OVER (PARTITION BY p.first_row ORDER BY h.rowid) AS number
    FROM temp.piece p CROSS JOIN process_cpu h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'process_cpu')
  GROUP BY first_row, number HAVING count(user) AND count(all_user))
UNION ALL SELECT 'process_pages', 'usage', 'contradiction', 'no more pages are in memory than the process has', count(*), count(*) FILTER (WHERE resident > size), min(p.file),
  max(resident) || ' of ' || max(size)
FROM temp.piece p CROSS JOIN process_memory h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'process_memory' AND h.size IS NOT NULL;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.piece WHERE target IN ('aicore_sample', 'aiv_sample'))
CREATE TEMP TABLE core AS
SELECT p.target, p.first_row AS piece, p.file, p.own_ns, h.rowid AS row, h.* FROM temp.piece p CROSS JOIN aicore_sample h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'aicore_sample'
UNION ALL SELECT p.target, p.first_row, p.file, p.own_ns, h.rowid, h.* FROM temp.piece p CROSS JOIN aiv_sample h ON h.rowid BETWEEN p.first_row AND p.last_row WHERE p.target = 'aiv_sample';
INSERT INTO temp.sample SELECT target, piece, row, core, total_cycles, coalesce(time_ns, stamp_ns), coalesce(time_ns, stamp_ns + own_ns) FROM temp.core;
INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found)
SELECT target || ' counters', 'cores', 'doubt', 'a core has at most 10 counters', count(*), count(*) FILTER (WHERE counters > 10), min(file), max(counters) || ' counters'
  FROM temp.core GROUP BY target;
DROP TABLE temp.core;
-- @end

-- What is true of all samples.
CREATE TEMP TABLE sample_step AS
SELECT s.*, lag(at_ns) OVER w AS before_ns, lag(amount) OVER w AS before FROM temp.sample s WINDOW w AS (PARTITION BY target, piece, series ORDER BY row);
CREATE TEMP TABLE span AS SELECT max(end_ns) - min(begin_ns) AS ns, min(begin_ns) AS begin_ns, max(end_ns) AS end_ns FROM temp.told;

INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found)
SELECT target || ' order', about, 'doubt', 'samples of ' || what || ' are in the order of their times', count(*), count(*) * (total(at_ns + 1000000 < before_ns) * 4 > count(*)), file,
  CAST(total(at_ns + 1000000 < before_ns) AS INTEGER) || ' of ' || count(*) || ' are of an earlier time than the one before'
FROM temp.sample_step JOIN temp.sampled USING (target) WHERE before_ns IS NOT NULL GROUP BY target
UNION ALL
SELECT target || ' times', about, 'doubt', 'samples of ' || what || ' have times of their own', count(*), count(*) * (total(at_ns = before_ns) * 4 > count(*)), file,
  CAST(total(at_ns = before_ns) AS INTEGER) || ' of ' || count(*) || ' are of the same time as the one before'
FROM temp.sample_step JOIN temp.sampled USING (target) WHERE is_steady AND before_ns IS NOT NULL GROUP BY target
UNION ALL
SELECT target || ' interval', about, 'doubt', 'samples of ' || what || ' are 50 us apart or more', count(DISTINCT at_ns),
  count(DISTINCT at_ns) * (total(at_ns - before_ns BETWEEN -49999 AND 49999) * 2 > count(*)), file,
  (max(max(at_ns - before_ns, before_ns - at_ns)) FILTER (WHERE at_ns - before_ns BETWEEN -49999 AND 49999)) || ' ns'
FROM temp.sample_step JOIN temp.sampled USING (target) WHERE is_steady AND at_ns <> before_ns GROUP BY target
UNION ALL
SELECT target || ' time', about, 'doubt', 'samples of ' || what || ' are taken while data is collected', count(*), count(*) FILTER (WHERE time_ns NOT BETWEEN begin_ns AND end_ns), file,
  'one is ' || max(CASE WHEN time_ns < begin_ns THEN begin_ns - time_ns ELSE time_ns - end_ns END / 1000000 + 1000) || ' ms away from the time of the collection'
FROM temp.sample JOIN temp.sampled USING (target) CROSS JOIN temp.span WHERE time_ns IS NOT NULL AND ns IS NOT NULL GROUP BY target
UNION ALL
SELECT target || ' rate', about, 'doubt', printf('at most %g ', most) || unit || ' of ' || what || ' pass in a nanosecond', count(*),
  count(*) FILTER (WHERE (amount - CASE WHEN goes_on THEN before ELSE 0 END) > most * (at_ns - before_ns)), file,
  printf('%g %s', max(1.0 * (amount - CASE WHEN goes_on THEN before ELSE 0 END) / (at_ns - before_ns)), unit)
FROM temp.sample_step JOIN temp.sampled USING (target) WHERE most IS NOT NULL AND at_ns > before_ns AND before IS NOT NULL GROUP BY target
UNION ALL
SELECT target || ' counts', about, 'contradiction', 'counts of ' || what || ' go on and do not fall', count(*), count(*) * (total(amount < before) * 4 > count(*)), file,
  CAST(total(amount < before) AS INTEGER) || ' of ' || count(*) || ' are below the one before'
FROM temp.sample_step JOIN temp.sampled USING (target) WHERE goes_on AND before IS NOT NULL GROUP BY target;

INSERT INTO temp.trial(name, about, weight, says, checked, failed, file, found, least)
SELECT target || ' counts', about, 'doubt', 'each sample of ' || what || ' counts anew', count(*), count(*) * (total(amount > before) > 0.9 * count(*) AND count(*) >= 10 * count(DISTINCT series)),
  file, 'the counts only rise', 64
FROM temp.sample_step JOIN temp.sampled USING (target) WHERE NOT goes_on AND before IS NOT NULL GROUP BY target
UNION ALL
SELECT target || ' span', about, 'doubt', 'samples of ' || what || ' are taken throughout the collection', count(DISTINCT at_ns),
  count(DISTINCT at_ns) * ((max(at_ns) - min(at_ns)) * 10000 < (SELECT ns FROM temp.span)), file,
  'all lie within ' || (max(at_ns) - min(at_ns)) || ' ns', 4
FROM temp.sample JOIN temp.sampled USING (target)
WHERE is_steady AND (SELECT end_ns < 9223372036854775807 FROM temp.span) GROUP BY target;

DROP TABLE temp.sample;
DROP TABLE temp.sample_step;
DROP TABLE temp.span;
DROP TABLE temp.piece;
DROP TABLE temp.sampled;
DROP TABLE temp.sample_clock;
DROP TABLE temp.told;
