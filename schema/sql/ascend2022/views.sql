-- The views that users and reports query. They use only built-in functions, so that any sqlite3 shell can open a database.

-- All tasks of the scheduler's log.
CREATE VIEW tasks AS
SELECT t.device_id, coalesce(o.model_id, s.model_id) AS model_id, t.stream_id, t.task_id, t.start_ns, t.dur_ns,
       o.name, o.type, -- of the operator; NULL without a description
       coalesce(o.task_type, 'AI_CORE') AS task_type, -- as in op
       (SELECT name FROM model_load m WHERE m.model_id = coalesce(o.model_id, s.model_id)) AS model, -- its name, if its loading was recorded
       s.iteration, -- the iteration in which the task ends
       t.batch_id,
       o.block_dim, -- blocks of the operator
       t.id -- the row of task
FROM task t LEFT JOIN op o ON o.id = t.op_id LEFT JOIN step s ON s.id = t.step_id
WHERE t.unit IS NOT 1;

-- All calls of a job.
CREATE VIEW api_calls AS
SELECT s.device_id, c.pid, c.tid,
       -- op, model, runtime or others
       CASE c.type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 4 THEN 'others'
                   ELSE CAST(c.type AS TEXT) END AS type,
       c.name, c.start_ns, c.dur_ns,
       s.id AS source_id, c.rowid AS row -- the place of the record: the row of source, and the rowid in its table
FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row;

-- Lines of network cards and of RDMA over Ethernet.
CREATE VIEW port_sample AS
SELECT s.device_id,
  12 AS place, -- the number of its track: 12 nic, 13 roce
  x.*
FROM source s CROSS JOIN nic x WHERE s.target = 'nic' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.stamp_ns IS NOT NULL
UNION ALL
SELECT s.device_id, 13, x.* FROM source s CROSS JOIN roce x WHERE s.target = 'roce' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.stamp_ns IS NOT NULL;

-- Traffic between cards over the time since the previous line. The counts wrap at 2^32 - 1. A single line has no traffic.
CREATE VIEW hccs_rate AS
SELECT device_id, stamp_ns, -- ns of the device
  -- MB/s
  coalesce((CASE WHEN tx >= tx0 THEN tx - tx0 ELSE 4294967295 - tx0 + tx END) * 953.67431640625 / nullif(stamp_ns - stamp0, 0), 0.0) AS tx_mbs,
    coalesce((CASE WHEN rx >= rx0 THEN rx - rx0 ELSE 4294967295 - rx0 + rx END) * 953.67431640625 / nullif(stamp_ns - stamp0, 0), 0.0) AS rx_mbs
FROM (
  SELECT s.device_id, x.stamp_ns, x.tx, x.rx, lag(x.stamp_ns) OVER w AS stamp0, lag(x.tx) OVER w AS tx0, lag(x.rx) OVER w AS rx0,
    count(*) OVER (PARTITION BY s.device_id) AS lines
  FROM source s CROSS JOIN hccs x WHERE s.target = 'hccs' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.stamp_ns IS NOT NULL
  WINDOW w AS (PARTITION BY s.device_id ORDER BY x.stamp_ns)
) WHERE stamp0 IS NOT NULL OR lines = 1;

-- Clock ticks of the processors that the info file gives to one kind of work, of all samples.
CREATE VIEW cpu_kind AS
SELECT device_id,
  kind, -- ctrlcpu or aicpu
  -- sums of ticks; ticks: of all
  total(user) AS user, total(system) AS system, total(iowait) AS iowait, total(irq) AS irq, total(softirq) AS softirq,
    total(idle) AS idle, total(user + nice + system + idle + iowait + irq + softirq + steal + guest + guest_nice) AS ticks
FROM (
  SELECT s.device_id, CASE WHEN ',' || c.ctrl_cpu || ',' LIKE '%,' || x.cpu || ',%' THEN 'ctrlcpu'
      WHEN ',' || c.ai_cpu || ',' LIKE '%,' || x.cpu || ',%' THEN 'aicpu' END AS kind, x.*
  FROM source s CROSS JOIN device_cpu x JOIN setting c ON c.device_id = s.device_id
  WHERE s.target = 'device_cpu' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.cpu IS NOT NULL
) WHERE kind IS NOT NULL GROUP BY device_id, kind;

-- The means of a device's memory over the samples, without fractions.
CREATE VIEW memory_mean AS
SELECT device_id,
  -- KB of /proc/meminfo
  max(mean) FILTER (WHERE name = 'MemTotal') AS total_kb,
    max(mean) FILTER (WHERE name = 'MemFree') AS free_kb,
    max(mean) FILTER (WHERE name = 'Buffers') AS buffers_kb,
    max(mean) FILTER (WHERE name = 'Cached') AS cached_kb,
    max(mean) FILTER (WHERE name = 'Shmem') AS shared_kb,
    max(mean) FILTER (WHERE name = 'CommitLimit') AS limit_kb,
    max(mean) FILTER (WHERE name = 'Committed_AS') AS committed_kb,
  max(mean) FILTER (WHERE name = 'HugePages_Total') AS huge_pages, -- how many
  max(mean) FILTER (WHERE name = 'HugePages_Free') AS huge_pages_free -- how many
FROM (
  SELECT device_id, name, CAST(total(value) / samples AS INTEGER) AS mean FROM (
    SELECT s.device_id, x.name, x.value, count(*) FILTER (WHERE x.name = 'TimeStamp') OVER (PARTITION BY s.device_id) AS samples
    FROM source s CROSS JOIN device_memory x WHERE s.target = 'device_memory' AND x.rowid BETWEEN s.first_row AND s.last_row
  ) WHERE samples > 0 GROUP BY device_id, name
) GROUP BY device_id;

-- Accesses of all controllers to memory over the time since the previous sample; the first counts from the start of the
-- device. Accesses of single masters are others.
CREATE VIEW ddr_rate AS
SELECT device_id, device_ns + stamp_us * 1000 AS stamp_ns, -- ns of the device
  -- MB/s
  coalesce(read_count * bits / (nullif(stamp_us - before_us, 0) * 1000 * 1048576.0 * 8) * 1e9, 0.0) AS read_mbs,
    coalesce(write_count * bits / (nullif(stamp_us - before_us, 0) * 1000 * 1048576.0 * 8) * 1e9, 0.0) AS write_mbs
FROM (
  SELECT s.device_id, c.device_ns, CASE WHEN c.chip BETWEEN 1 AND 4 THEN 256 ELSE 128 END AS bits, d.stamp_us,
    lag(d.stamp_us, 1, 0) OVER (PARTITION BY s.device_id ORDER BY d.stamp_us) AS before_us,
    total(d.count) FILTER (WHERE d.type = 0 AND d.master_id = 4294967295) AS read_count,
    total(d.count) FILTER (WHERE d.type <> 0 AND d.master_id = 4294967295) AS write_count
  FROM source s CROSS JOIN ddr d JOIN setting c ON c.device_id = s.device_id
  WHERE s.target = 'ddr' AND d.rowid BETWEEN s.first_row AND s.last_row GROUP BY s.device_id, d.stamp_us
);

-- The same of high-bandwidth memory, 256 bits wide; the first sample has no time before it.
CREATE VIEW hbm_rate AS
SELECT device_id,
  hbm_id, is_write, -- the number of the memory; 1 for writes
  device_ns + at_ns AS stamp_ns, -- ns of the device
  -- MB/s
  coalesce(count * 0.000030517578125 / nullif(at_ns - lag(at_ns) OVER (PARTITION BY device_id, hbm_id, is_write ORDER BY at_ns), 0) * 1e9, 0.0) AS mbs
FROM (
  SELECT s.device_id, c.device_ns, h.hbm_id, h.type <> 0 AS is_write, h.count, coalesce(h.stamp_ns, h.stamp_us * 1000) AS at_ns
  FROM source s CROSS JOIN hbm h JOIN setting c ON c.device_id = s.device_id
  WHERE s.target = 'hbm' AND h.rowid BETWEEN s.first_row AND s.last_row GROUP BY s.device_id, at_ns, is_write, h.hbm_id
);

-- The last level cache: hits of accesses, and 64 bytes a line, a sixty-fourth of a second. The table llc_event tells which event is
-- which. A sum that lacks an event is 0, and so is the first sample.
CREATE VIEW llc_rate AS
SELECT device_id,
  l3t_id, mode, -- the number of the cache; read or write
  device_ns + at_ns AS stamp_ns, -- ns of the device
  coalesce(hits / nullif(accesses, 0), 0.0) AS hit_rate, -- hits / accesses
  -- MB/s
  coalesce(lines * 64.0 / 1048576.0 / (nullif(at_ns - lag(at_ns) OVER (PARTITION BY device_id, l3t_id ORDER BY at_ns), 0) / 64.0 / 1e9), 0.0) AS mbs
FROM (
  SELECT device_id, l3t_id, device_ns, mode, at_ns,
    CASE count(*) FILTER (WHERE place IN (2, 3, 5, 7)) WHEN 4 THEN total(count) FILTER (WHERE place IN (2, 3, 5, 7)) END AS hits,
    CASE count(*) FILTER (WHERE place IN (4, 6)) WHEN 2 THEN total(count) FILTER (WHERE place IN (4, 6)) END AS accesses,
    CASE count(*) FILTER (WHERE place IN (0, 1)) WHEN 2 THEN total(count) FILTER (WHERE place IN (0, 1)) END AS lines
  FROM (
    SELECT s.device_id, c.device_ns, e.mode, l.l3t_id, coalesce(l.stamp_ns, l.stamp_us * 1000) AS at_ns, e.place, l.count, max(l.rowid)
    FROM source s CROSS JOIN llc l JOIN setting c ON c.device_id = s.device_id JOIN llc_event e ON e.mode = c.llc AND e.event = l.event
    WHERE s.target = 'llc' AND c.chip <> 0 AND l.l3t_id < 4 AND l.rowid BETWEEN s.first_row AND s.last_row
    GROUP BY s.device_id, l.l3t_id, at_ns, e.place
  ) GROUP BY device_id, l3t_id, at_ns
);

-- The means of the samples of a PCIe link, in bytes a us. Samples with a largest value below the smallest do not count.
CREATE VIEW pcie_mean AS
WITH sample AS (
  SELECT s.device_id, p.* FROM source s CROSS JOIN pcie p WHERE s.target = 'pcie' AND p.rowid BETWEEN s.first_row AND s.last_row AND p.tx_p_max >= p.tx_p_min
)
SELECT device_id,
  1 AS place, 'Tx_p_avg(MB/s)' AS mode, -- what it is: the order and the title in the report
  avg(tx_p_min) AS least, avg(tx_p_max) AS most, avg(tx_p_avg) AS mean -- the means of the smallest, the largest and the mean values
FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 2, 'Tx_np_avg(MB/s)', avg(tx_np_min), avg(tx_np_max), avg(tx_np_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 3, 'Tx_cpl_avg(MB/s)', avg(tx_cpl_min), avg(tx_cpl_max), avg(tx_cpl_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 4, 'Tx_latency_avg(MB/s)', avg(tx_latency_min), avg(tx_latency_max), avg(tx_latency_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 5, 'Rx_p_avg(MB/s)', avg(rx_p_min), avg(rx_p_max), avg(rx_p_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 6, 'Rx_np_avg(MB/s)', avg(rx_np_min), avg(rx_np_max), avg(rx_np_avg) FROM sample GROUP BY device_id
UNION ALL SELECT device_id, 7, 'Rx_cpl_avg(MB/s)', avg(rx_cpl_min), avg(rx_cpl_max), avg(rx_cpl_avg) FROM sample GROUP BY device_id;

-- The tracks of a device that have records. The last level cache of chip 0 is another one.
CREATE VIEW device_track AS
SELECT c.device_id, c.pid, t.* FROM setting c CROSS JOIN track t
WHERE EXISTS (SELECT 1 FROM source s WHERE s.target = t.target AND (s.device_id = c.device_id OR s.device_id IS NULL) AND s.records > 0)
  AND (t.place <> 16 OR c.chip <> 0 AND c.llc IN (SELECT mode FROM llc_event));

-- The sums of the samples of each core.
CREATE VIEW core_sum AS
SELECT device_id,
  kind,                        -- aic or aiv
  core,
  count(*) AS samples,         -- how many
  total(total_cycles) AS total_cycles,
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

-- Iterations, and whether all of them is there: early data may have been aged away.
CREATE VIEW step_left AS
SELECT s.model_id,
  s.iteration AS number, -- for `--iteration-id`
  NOT EXISTS (SELECT 1 FROM note WHERE kind = 'warning' AND text GLOB 'the recording begins here: *') OR s.start_counter >= t.start_counter AS is_whole -- 1: it is
FROM step s LEFT JOIN (SELECT device_id, min(start_counter) AS start_counter FROM task GROUP BY device_id) t ON t.device_id = s.device_id;
