-- What users and reports query. Only built-in functions: any sqlite3 shell can open it.

-- All tasks, with words for numbers.
CREATE VIEW tasks AS
SELECT t.device_id, nullif(t.model_id, 4294967295) AS model_id, t.stream_id, t.task_id, t.start_ns, t.dur_ns,
       coalesce(o.name, CAST(coalesce(t.op_name, p.op_name) AS TEXT), k.name) AS name, -- the operator, else the kernel
       coalesce(y.name, CAST(coalesce(t.op_type, p.op_type) AS TEXT)) AS type, -- of the operator
       coalesce(n.name, d.name, s.name, CAST(t.device_type AS TEXT)) AS task_type, -- the kind of node, else of task, else of sub-task
       t.batch_id,
       nullif(t.context_id, 4294967295) AS context_id, -- NULL for none
       t.block_num, t.connection_id, t.launch_ns, t.thread_id, t.id
FROM task t
LEFT JOIN named_part p ON p.id = t.id
LEFT JOIN name o ON o.hash = coalesce(t.op_name, p.op_name) LEFT JOIN name y ON y.hash = coalesce(t.op_type, p.op_type)
LEFT JOIN name k ON k.hash = t.kernel_name LEFT JOIN node_kind n ON n.kind = coalesce(t.node_type, p.node_type)
LEFT JOIN task_kind d ON d.kind = t.device_type
LEFT JOIN subtask_kind s ON s.kind = t.device_type - 256;

-- All calls, with words for numbers.
CREATE VIEW api_calls AS
SELECT a.connection_id, a.thread_id AS tid,
       coalesce(l.name, CAST(a.level AS TEXT)) AS level, -- the level
       coalesce(y.name, CAST(a.type AS TEXT)) AS name, -- the type
       a.start_ns, a.dur_ns,
       n.name AS item -- what it is about
FROM api a LEFT JOIN level l USING (level) LEFT JOIN type_name y USING (level, type) LEFT JOIN name n ON n.hash = a.item_id;

-- Samples of the memory of a device with its number and times of the host.
CREATE VIEW npu_mem_sample AS
SELECT s.device_id, n.event,
  n.ddr_bytes, n.hbm_bytes, -- in use
  d.host_monotonic_ns + n.stamp_us * 1000 AS time_ns
FROM source s CROSS JOIN npu_mem n LEFT JOIN device d ON d.device_id = s.device_id WHERE s.target = 'npu_mem' AND n.rowid BETWEEN s.first_row AND s.last_row;

-- Samples of PCIe with the number of the device and times of the host.
CREATE VIEW pcie_sample AS
SELECT s.device_id, p.stamp + coalesce(c.ahead_ns, 0) AS time_ns,
  p.rowid AS row, -- the row of pcie
  p.*
FROM source s CROSS JOIN pcie p LEFT JOIN setting c ON c.device_id = s.device_id WHERE s.target = 'pcie' AND p.rowid BETWEEN s.first_row AND s.last_row;

-- Samples of ports of the unified bus with the number of the device and times of the host.
CREATE VIEW ub_sample AS
SELECT s.device_id, d.host_monotonic_ns + u.stamp_us * 1000 AS time_ns,
  u.rowid AS row, -- the row of ub
  u.*
FROM source s CROSS JOIN ub u LEFT JOIN device d ON d.device_id = s.device_id WHERE s.target = 'ub' AND u.rowid BETWEEN s.first_row AND s.last_row;

-- Steps of collective operations on the processor for data, with words for numbers.
CREATE VIEW dpu_step AS
SELECT h.rowid AS step,        -- the row of dpu_hccl_info
  coalesce((SELECT name FROM name n WHERE n.hash = h.group_name), 'N/A') || '(' || printf('%u', h.group_name) || ')' AS group_word, -- the group
  coalesce((SELECT name FROM hccl_kind WHERE what = 'op' AND kind = h.op_type), CAST(h.op_type AS TEXT)) AS op_word, -- how data is reduced
  coalesce((SELECT name FROM hccl_kind WHERE what = 'data' AND kind = h.data_type), CAST(h.data_type AS TEXT)) AS data_word, -- the type of data
  coalesce((SELECT name FROM hccl_kind WHERE what = 'link' AND kind = h.link_type), CAST(h.link_type AS TEXT)) AS link_word, -- the link
  coalesce((SELECT name FROM hccl_kind WHERE what = 'transport' AND kind = h.transport_type), CAST(h.transport_type AS TEXT)) AS transport_word, -- how it is carried
  coalesce((SELECT name FROM hccl_kind WHERE what = 'rdma' AND kind = h.rdma_type), CAST(h.rdma_type AS TEXT)) AS rdma_word, -- the kind of RDMA
  h.device_id AS npu_id,       -- the device whose operation it is
  h.aicpu_task_id, h.plane_id, h.notify_id, h.estimate, h.rank_size, h.local_rank, h.remote_rank, h.size -- as there
FROM dpu_hccl_info h;

-- Traffic between dies by their names.
CREATE VIEW sio_die_rate AS
SELECT r.*,
  n.name AS die -- what the die is called
FROM sio_rate r JOIN setting c USING (device_id) JOIN sample_die n ON n.chip = c.chip AND n.die_id = r.die_id;

-- The frequency of the cores as points of a curve: from the beginning of the collection, at each change, to its end. What changed before
-- the device's own start holds from then on. A point is told again by who reads the device's start as a double, which may be earlier.
CREATE VIEW frequency_point AS
WITH curve AS (
  SELECT s.device_id, s.mhz, CASE WHEN s.sampled OR s.old_driver THEN min(coalesce(h.curve, 2), 1) ELSE coalesce(h.curve, 2) END AS copies, coalesce(h.curve, 2) = 2 AS has_lpm,
    (SELECT min(c.rowid) FROM core_frequency c WHERE c.device_id = s.device_id) AS first,
    (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'begin_ns') AS begin_ns, (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'end_ns') AS end_ns
  FROM setting s LEFT JOIN chip h ON h.chip = s.chip WHERE h.chip IS NULL OR h.curve IS NOT NULL
), kept AS (
  SELECT f.device_id, f.rowid AS number, max(f.time_ns, d.time_ns) AS time_ns, f.mhz, c.copies, c.begin_ns
  FROM curve c JOIN core_frequency d ON d.rowid = c.first JOIN core_frequency f ON f.device_id = c.device_id
  WHERE c.copies > 0 AND EXISTS (SELECT 1 FROM source o WHERE o.target = 'freq' AND o.device_id = c.device_id AND o.records > 0)
    AND (f.time_ns >= d.time_ns OR f.rowid = (SELECT max(b.rowid) FROM core_frequency b WHERE b.device_id = f.device_id AND b.time_ns < d.time_ns))
    AND (f.rowid > c.first OR NOT EXISTS (SELECT 1 FROM core_frequency b WHERE b.device_id = f.device_id AND b.time_ns < d.time_ns))
  UNION ALL
  SELECT p.device_id, 2147483648 + p.rowid, p.time_ns, p.value, 1, c.begin_ns FROM curve c JOIN lpm_point p ON p.device_id = c.device_id AND p.kind = 0 WHERE c.has_lpm
), again AS (
  SELECT k.device_id, k.number, k.mhz, k.begin_ns, k.time_ns + CASE WHEN k.number = c.first
    THEN coalesce(CAST(floor((CAST(d.counter_at / 1e9 * 1e9 AS INTEGER) - d.counter_at) * 1e9 / d.counter_hz) AS INTEGER), 0) ELSE 0 END AS time_ns
  FROM kept k JOIN curve c ON c.device_id = k.device_id JOIN device d ON d.device_id = k.device_id WHERE k.copies = 2
)
SELECT device_id,
  0 AS number, -- the order of the points
  begin_ns AS time_ns,
  coalesce((SELECT k.mhz FROM kept k WHERE k.device_id = c.device_id AND k.time_ns < c.begin_ns ORDER BY k.number DESC LIMIT 1), mhz) AS mhz, -- from then on
  0 AS is_change -- 0 the begin or end of the collection, 1 a change, 2 a change that is told again
FROM curve c WHERE begin_ns IS NOT NULL
UNION ALL SELECT device_id, number, time_ns, mhz, 1 FROM kept WHERE time_ns >= coalesce(begin_ns, time_ns)
UNION ALL SELECT device_id, number, time_ns, mhz, 2 FROM again WHERE time_ns >= coalesce(begin_ns, time_ns)
UNION ALL SELECT device_id, 4294967295, end_ns, coalesce((SELECT k.mhz FROM kept k WHERE k.device_id = c.device_id ORDER BY k.number DESC LIMIT 1), mhz), 0
FROM curve c WHERE end_ns IS NOT NULL;

-- What turns of the server of communication on the AI CPU consist of.
CREATE VIEW turn_part AS
SELECT device_id,
  is_comm, row, -- 1: the row is of comm_turn, else of compute_turn
  part, name || ' ' || turn AS name, -- the part of the turn, counted from 0, and its name
  CASE WHEN w.wide THEN iif(stream & 32768, task, stream) & 32767 ELSE iif(stream & 12288 = 8192, task, stream) & 2047 END AS stream_id,
  CASE WHEN w.wide THEN iif(stream & 32768, (task & 32768) | (stream & 32767), task) WHEN stream & 4096 THEN (task & 8191) | (stream & 57344)
    WHEN stream & 8192 THEN (stream & 4095) | (task & 61440) ELSE task END AS task_id,
  start_ns, end_ns -- the part
FROM (SELECT coalesce((SELECT expand_status = 1 FROM expand_stream_spec LIMIT 1), 0) AS wide) w CROSS JOIN (
  SELECT s.device_id, 0 AS is_comm, c.rowid AS row, p.column1 AS part, p.column2 AS name, c.turn, c.stream_id AS stream, c.task_id AS task,
    CASE p.column1 WHEN 0 THEN c.waiting_ns ELSE c.computing_ns END AS start_ns, CASE p.column1 WHEN 0 THEN c.computing_ns ELSE c.ended_ns END AS end_ns
  FROM source s CROSS JOIN compute_turn c ON c.rowid BETWEEN s.first_row AND s.last_row CROSS JOIN (VALUES (0, 'WaitCompute'), (1, 'Compute')) p
  WHERE s.target = 'compute_turn'
  UNION ALL
  SELECT s.device_id, 1, c.rowid, p.column1, p.column2, c.turn, c.stream_id, c.task_id,
    CASE p.column1 WHEN 0 THEN c.begun_ns WHEN 1 THEN c.waiting_ns WHEN 2 THEN c.planning_ns WHEN 3 THEN c.sending_ns WHEN 4 THEN c.sent_ns ELSE c.executed_ns END,
    CASE p.column1 WHEN 0 THEN c.waiting_ns WHEN 1 THEN c.planning_ns WHEN 2 THEN c.sending_ns WHEN 3 THEN c.sent_ns WHEN 4 THEN c.executed_ns ELSE c.ended_ns END
  FROM source s CROSS JOIN comm_turn c ON c.rowid BETWEEN s.first_row AND s.last_row
  CROSS JOIN (VALUES (0, 'StartServer'), (1, 'TaskWaitRequest'), (2, 'TaskOrchestration'), (3, 'TaskLaunch'), (4, 'TaskExecute'), (5, 'Finalize')) p
  WHERE s.target = 'comm_turn'
);

-- Counters of sampled cores. Where cube and vector cores are in one file, the numbers of cube cores come first.
CREATE VIEW core_reading AS
SELECT c.device_id,
  CASE WHEN c.held = 'aiv' OR c.layout GLOB '*ffts_sample' AND c.core > coalesce(w.cube_most, 24) THEN 'aiv' ELSE 'aic' END AS kind, -- aic or aiv
  coalesce(c.time_ns, c.stamp_ns + coalesce(t.ahead_ns, 0)) AS at_ns, -- the time of the host
  c.layout,                    -- of the file
  c.row,                       -- the row of its table
  c.core, c.counters, c.total_cycles, c.pmu0, c.pmu1, c.pmu2, c.pmu3, c.pmu4, c.pmu5, c.pmu6, c.pmu7, c.pmu8, c.pmu9 -- as there
FROM (
  SELECT s.device_id, s.layout, 'aic' AS held, x.rowid AS row, x.* FROM source s CROSS JOIN aicore_sample x
  WHERE s.target = 'aicore_sample' AND x.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT s.device_id, s.layout, 'aiv', x.rowid, x.* FROM source s CROSS JOIN aiv_sample x WHERE s.target = 'aiv_sample' AND x.rowid BETWEEN s.first_row AND s.last_row
) c LEFT JOIN setting t ON t.device_id = c.device_id LEFT JOIN sample_chip w ON w.chip = t.chip;

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
FROM core_reading GROUP BY device_id, kind, core;

-- Devices whose chip has what stars samples.
CREATE VIEW stars_log_chip AS
SELECT s.device_id FROM setting s LEFT JOIN chip h ON h.chip = s.chip WHERE coalesce(h.stars, 1);

-- Iterations, and whether all of them is there: early data may have been aged away.
CREATE VIEW step_left AS
SELECT s.model_id,
  s.index_id AS number, -- for `--iteration-id`
  NOT EXISTS (SELECT 1 FROM note WHERE kind = 'warning' AND text GLOB 'the recording begins here: *') OR s.start_ns >= t.start_ns AS is_whole -- 1: it is
FROM step s LEFT JOIN (SELECT device_id, min(start_ns) AS start_ns FROM task GROUP BY device_id) t ON t.device_id = s.device_id;
