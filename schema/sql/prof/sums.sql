-- Samples of devices as rates, as reports and databases show them. Times are ns of the host's monotonic clock.

CREATE TEMP TABLE sampler AS
SELECT d.device_id, d.host_monotonic_ns AS start_ns, c.llc,
  4 * (1 + length(coalesce(c.hbm_events, '')) - length(replace(coalesce(c.hbm_events, ''), ',', ''))) AS hbm_kinds,
  coalesce(w.ddr_bits, 128) AS ddr_bits, coalesce(w.llc_ids, 4) AS llc_ids
FROM device d LEFT JOIN setting c USING (device_id) LEFT JOIN sample_chip w USING (chip);

-- HBM, 256 bits each. The device has four channels: the sample of the same kind before is as many places before as there are
-- kinds. The first samples have none before them; the only ones stay counts.
-- @when EXISTS (SELECT 1 FROM hbm)
DELETE FROM hbm_rate;
INSERT INTO hbm_rate
WITH sample AS (
  SELECT s.device_id, m.hbm_kinds, h.hbm_id, h.type <> 0 AS type, h.count, coalesce(h.stamp_ns - (SELECT value FROM meta WHERE key = 'wall_offset_ns'), m.start_ns + h.stamp_us * 1000) AS time_ns
  FROM source s CROSS JOIN hbm h JOIN temp.sampler m ON m.device_id = s.device_id WHERE s.target = 'hbm' AND h.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY s.device_id, time_ns, type, h.hbm_id
), numbered AS (
  SELECT *, row_number() OVER w AS n, count(*) OVER (PARTITION BY device_id) AS total FROM sample WINDOW w AS (PARTITION BY device_id ORDER BY time_ns, type, hbm_id)
), pair AS (
  SELECT *, CASE WHEN n > hbm_kinds THEN lag(time_ns, hbm_kinds) OVER w ELSE lead(time_ns, max(total - hbm_kinds, 0)) OVER w END AS before_ns
  FROM numbered WINDOW w AS (PARTITION BY device_id ORDER BY n)
)
SELECT device_id, hbm_id, type, time_ns, CASE WHEN time_ns = before_ns THEN count WHEN time_ns > before_ns THEN count * 0.000030517578125 / (time_ns - before_ns) * 1e9 ELSE 0.0 END
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

-- Traffic between dies: MB a second since the sample of the die before.
-- @when EXISTS (SELECT 1 FROM sio)
DELETE FROM sio_rate;
INSERT INTO sio_rate
WITH span AS (
  SELECT s.device_id, x.*, x.rowid AS row, CASE WHEN c.chip IN (15, 16) THEN x.die_id ELSE x.acc_id END AS die,
    x.time_ns - lag(x.time_ns) OVER (PARTITION BY s.device_id, CASE WHEN c.chip IN (15, 16) THEN x.die_id ELSE x.acc_id END ORDER BY x.rowid) AS span_ns
  FROM source s CROSS JOIN sio x LEFT JOIN setting c ON c.device_id = s.device_id WHERE s.target = 'sio' AND x.rowid BETWEEN s.first_row AND s.last_row
)
SELECT device_id, die, time_ns, req_rx * f, rsp_rx * f, snp_rx * f, dat_rx * f, req_tx * f, rsp_tx * f, snp_tx * f, dat_tx * f
FROM (SELECT *, 1e9 / 1048576 / span_ns AS f FROM span WHERE span_ns > 0) ORDER BY row;
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

-- The L2 cache of a task, if all events of its rates were counted.
-- @when EXISTS (SELECT 1 FROM l2_cache)
DELETE FROM l2_task;
CREATE TEMP TABLE l2_place AS
SELECT c.device_id, w.what, w.factor, e.key AS place
FROM setting c JOIN l2_event w USING (chip)
LEFT JOIN json_each('[' || replace(json_quote(c.l2_events), ',', '","') || ']') e ON c.l2_events IS NOT NULL AND hex_int(lower(trim(e.value))) = w.event AND e.key < 8;
DELETE FROM temp.l2_place WHERE device_id IN (SELECT device_id FROM temp.l2_place WHERE place IS NULL);
INSERT INTO l2_task
SELECT device_id, stream_id, task_id, coalesce(rounded(hits / nullif(requests, 0), 6), 0.0), coalesce(rounded(victims / nullif(requests, 0), 6), 0.0)
FROM (
  SELECT s.device_id, l.stream_id, l.task_id, l.rowid AS row,
    total(p.factor * pick(p.place, event0, event1, event2, event3, event4, event5, event6, event7)) FILTER (WHERE p.what = 'request') AS requests,
    total(p.factor * pick(p.place, event0, event1, event2, event3, event4, event5, event6, event7)) FILTER (WHERE p.what = 'hit') AS hits,
    total(p.factor * pick(p.place, event0, event1, event2, event3, event4, event5, event6, event7)) FILTER (WHERE p.what = 'victim') AS victims
  FROM source s CROSS JOIN l2_cache l CROSS JOIN temp.l2_place p ON p.device_id = s.device_id
  WHERE s.target = 'l2_cache' AND l.rowid BETWEEN s.first_row AND s.last_row GROUP BY l.rowid) ORDER BY row;
DROP TABLE temp.l2_place;
-- @end

DROP TABLE temp.sampler;

-- What reports ask of the control files. A database of an earlier schema gets it when it is read.
UPDATE setting SET mhz = i.mhz, cores = i.cores, aiv_cores = i.aiv_cores
FROM (SELECT c.device_id,
    coalesce(nullif(CAST(m.value AS INTEGER), 0), CAST(json_extract(c.text, '$.DeviceInfo[0].aic_frequency') AS INTEGER)) AS mhz,
    CAST(json_extract(c.text, '$.DeviceInfo[0].ai_core_num') AS INTEGER) AS cores,
    CAST(json_extract(c.text, '$.DeviceInfo[0].aiv_num') AS INTEGER) AS aiv_cores
  FROM control c JOIN meta m ON m.key = 'frequency_option' WHERE c.name = 'info.json') i
WHERE i.device_id = setting.device_id;
UPDATE setting SET aic_metrics = s.aic_metrics, aiv_metrics = s.aiv_metrics
FROM (SELECT device_id, json_extract(text, '$.ai_core_metrics') AS aic_metrics, json_extract(text, '$.aiv_metrics') AS aiv_metrics
  FROM control WHERE name = 'sample.json') s
WHERE s.device_id = setting.device_id;
