-- Samples as rates and sums. The table setting has the chip, and the mode in which the last level cache was counted.

-- Samples of memories and links as rates over the time since the previous sample of the same source; times are ns of the host.
-- The first sample counts from the beginning. DDR is 256 bits wide on chips 1 to 4, else 128 bits; HBM is 256 bits wide.
CREATE VIEW ddr_rate AS
SELECT s.device_id, d.controller, d.type, v.host_monotonic_ns + d.stamp_us * 1000 AS time_ns,
  d.count * CASE WHEN (SELECT chip FROM setting c WHERE c.device_id = s.device_id) BETWEEN 1 AND 4 THEN 256 ELSE 128 END / (8 * 1048576.0)
    / ((d.stamp_us - lag(d.stamp_us, 1, 0) OVER (PARTITION BY s.device_id, d.controller, d.type, d.master_id ORDER BY d.stamp_us)) / 1e6) AS mbs
FROM source s CROSS JOIN ddr d LEFT JOIN device v ON v.device_id = s.device_id
WHERE s.target = 'ddr' AND d.rowid BETWEEN s.first_row AND s.last_row;

CREATE VIEW hbm_rate AS
SELECT h.device_id, hbm_id, type, v.host_monotonic_ns + at_ns AS time_ns, count * 256 / (8 * 1048576.0)
  / ((at_ns - lag(at_ns, 1, 0) OVER (PARTITION BY h.device_id, hbm_id, type ORDER BY at_ns)) / 1e9) AS mbs
FROM (
  SELECT s.device_id, h.hbm_id, h.type, h.count, coalesce(h.stamp_ns, h.stamp_us * 1000) AS at_ns
  FROM source s CROSS JOIN hbm h WHERE s.target = 'hbm' AND h.rowid BETWEEN s.first_row AND s.last_row
) h LEFT JOIN device v ON v.device_id = h.device_id;

-- The eight events of the last level cache as hit rate and MB/s.
CREATE VIEW llc_rate AS
SELECT m.device_id, l3t_id, v.host_monotonic_ns + at_ns AS time_ns,
  coalesce((SELECT llc FROM setting c WHERE c.device_id = m.device_id), 'read') AS mode,
  coalesce((e2 + e3 + e5 + e7) / nullif(e4 + e6, 0), 0) AS hit_rate,
  coalesce((e0 + e1) * 64 / 1048576.0
    / nullif((at_ns - lag(at_ns, 1, 0) OVER (PARTITION BY m.device_id, l3t_id ORDER BY at_ns)) / 1e9, 0), 0) AS mbs
FROM (
  SELECT s.device_id, l.l3t_id, coalesce(l.stamp_ns, l.stamp_us * 1000) AS at_ns,
    total(count) FILTER (WHERE event = 0) AS e0, total(count) FILTER (WHERE event = 1) AS e1, total(count) FILTER (WHERE event = 2) AS e2,
    total(count) FILTER (WHERE event = 3) AS e3, total(count) FILTER (WHERE event = 4) AS e4, total(count) FILTER (WHERE event = 5) AS e5,
    total(count) FILTER (WHERE event = 6) AS e6, total(count) FILTER (WHERE event = 7) AS e7
  FROM source s CROSS JOIN llc l WHERE s.target = 'llc' AND l.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY s.device_id, l.l3t_id, at_ns
) m LEFT JOIN device v ON v.device_id = m.device_id;

-- The rates of hits and victims among a task's accesses to the L2 cache. The meaning of events is known for chip 1 (requests,
-- hits and victims are events 1, 0 and 2) and for chips 2 to 4 (0 and 1, 4, 3).
CREATE VIEW l2_rate AS
SELECT s.device_id, l.stream_id, l.task_id,
  CASE WHEN c.chip = 1 THEN 1.0 * event0 / nullif(event1, 0) WHEN c.chip BETWEEN 2 AND 4 THEN 1.0 * event4 / nullif(event0 + event1, 0) END AS hit_rate,
  CASE WHEN c.chip = 1 THEN 1.0 * event2 / nullif(event1, 0) WHEN c.chip BETWEEN 2 AND 4 THEN 1.0 * event3 / nullif(event0 + event1, 0) END AS victim_rate,
  l.rowid AS row
FROM source s CROSS JOIN l2_cache l LEFT JOIN setting c ON c.device_id = s.device_id
WHERE s.target = 'l2_cache' AND l.rowid BETWEEN s.first_row AND s.last_row;

CREATE VIEW pcie_total AS
WITH sample AS (
  SELECT s.device_id, p.* FROM source s CROSS JOIN pcie p WHERE s.target = 'pcie' AND p.rowid BETWEEN s.first_row AND s.last_row
)
SELECT device_id, 1 AS place, 'Tx_p_avg(MB/s)' AS mode, min(tx_p_min) AS least, max(tx_p_max) AS most, avg(tx_p_avg) AS mean FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 2, 'Tx_np_avg(MB/s)', min(tx_np_min), max(tx_np_max), avg(tx_np_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 3, 'Tx_cpl_avg(MB/s)', min(tx_cpl_min), max(tx_cpl_max), avg(tx_cpl_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 4, 'Tx_latency_avg(us)', min(tx_latency_min), max(tx_latency_max), avg(tx_latency_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 5, 'Rx_p_avg(MB/s)', min(rx_p_min), max(rx_p_max), avg(rx_p_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 6, 'Rx_np_avg(MB/s)', min(rx_np_min), max(rx_np_max), avg(rx_np_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 7, 'Rx_cpl_avg(MB/s)', min(rx_cpl_min), max(rx_cpl_max), avg(rx_cpl_avg) FROM sample GROUP BY device_id;

-- The sums of the samples of each core.
CREATE VIEW core_sum AS
SELECT device_id, kind, core, count(*) AS samples, total(total_cycles) AS total_cycles,
  total(pmu0) FILTER (WHERE counters > 0) AS pmu0,
  total(pmu1) FILTER (WHERE counters > 1) AS pmu1,
  total(pmu2) FILTER (WHERE counters > 2) AS pmu2,
  total(pmu3) FILTER (WHERE counters > 3) AS pmu3,
  total(pmu4) FILTER (WHERE counters > 4) AS pmu4,
  total(pmu5) FILTER (WHERE counters > 5) AS pmu5,
  total(pmu6) FILTER (WHERE counters > 6) AS pmu6,
  total(pmu7) FILTER (WHERE counters > 7) AS pmu7,
  total(pmu8) FILTER (WHERE counters > 8) AS pmu8,
  total(pmu9) FILTER (WHERE counters > 9) AS pmu9
FROM (
  SELECT s.device_id, 'aic' AS kind, c.* FROM source s CROSS JOIN aicore_sample c WHERE s.target = 'aicore_sample' AND c.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT s.device_id, 'aiv', c.* FROM source s CROSS JOIN aiv_sample c WHERE s.target = 'aiv_sample' AND c.rowid BETWEEN s.first_row AND s.last_row
) GROUP BY device_id, kind, core;
