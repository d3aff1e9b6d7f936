-- The names of operators.
CREATE TEMP TABLE op_name(id INTEGER PRIMARY KEY, name, type, converts, number, blocks, core);
INSERT INTO temp.op_name
SELECT o.id, coalesce((SELECT name FROM name n WHERE n.hash = o.k2), CASE WHEN o.is_rest THEN 'other operators' WHEN o.class = 4 THEN 'communication'
    WHEN o.k2 = -1 THEN 'unnamed' ELSE printf('%u', o.k2) END) AS name,
  (SELECT name FROM name n WHERE n.hash = o.k3) AS type, coalesce(c.converts, 0) AS converts,
  CASE WHEN o.class <> 4 AND NOT o.is_rest THEN (SELECT t.task_id FROM task t WHERE t.id = o.first_row) END AS number, CASE WHEN o.k4 > 0 THEN o.k4 END AS blocks,
  CASE WHEN o.aic_cycles > 0 THEN 'aic' WHEN o.aiv_cycles > 0 THEN 'aiv' WHEN o.class = 0 THEN 'aic' ELSE 'aiv' END AS core
FROM temp.operator o LEFT JOIN temp.type_class c ON c.hash = o.k3 AND NOT o.is_rest;

-- Tasks by their rows.
CREATE TEMP VIEW named_task AS SELECT id AS row, name, type, task_id AS number FROM main.tasks;

-- The shares of the cycles that the units of the cores were busy, where the counters are those of pipes.
CREATE TEMP TABLE op_unit AS
SELECT o.id, m.core, m.name, 1.0 * total_int(CASE m.core WHEN 'aic' THEN pick(m.position, o.aic_pmu0, o.aic_pmu1, o.aic_pmu2, o.aic_pmu3, o.aic_pmu4, o.aic_pmu5,
      o.aic_pmu6, o.aic_pmu7, o.aic_pmu8, o.aic_pmu9) ELSE pick(m.position, o.aiv_pmu0, o.aiv_pmu1, o.aiv_pmu2, o.aiv_pmu3, o.aiv_pmu4, o.aiv_pmu5, o.aiv_pmu6,
      o.aiv_pmu7, o.aiv_pmu8, o.aiv_pmu9) END) / max(CASE m.core WHEN 'aic' THEN o.aic_cycles ELSE o.aiv_cycles END) AS ratio
FROM temp.operator o JOIN core_metric m ON m.device_id = o.k1
WHERE m.what = 'pipe' AND NOT o.is_rest AND o.class < 3 AND CASE m.core WHEN 'aic' THEN o.aic_cycles ELSE o.aiv_cycles END > 0
GROUP BY o.id, m.core, m.name;
CREATE UNIQUE INDEX temp.op_unit_by_id ON op_unit(id, core, name);

CREATE TEMP TABLE core_count AS
SELECT device_id AS grp, 'aic' AS core, cores FROM setting WHERE cores > 0 UNION ALL SELECT device_id, 'aiv', aiv_cores FROM setting WHERE aiv_cores > 0;

-- The cycles in which the cube cores multiplied, of all cores, and what the peak follows from.
CREATE TEMP TABLE cube AS
SELECT o.k1 AS grp, total(u.ratio * o.aic_cycles) AS mac_cycles, nullif(max(s.mhz), 0) AS mhz, nullif(max(s.cores), 0) AS cores, max(s.chip) AS chip
FROM temp.op_unit u JOIN temp.operator o ON o.id = u.id JOIN setting s ON s.device_id = o.k1 WHERE u.core = 'aic' AND u.name = 'mac' GROUP BY o.k1;

CREATE TEMP VIEW collective AS SELECT device_id AS grp, name, start_ns, end_ns FROM main.comm_op WHERE start_ns IS NOT NULL;
CREATE TEMP TABLE collective_place AS SELECT device_id, step_group, id FROM main.comm_op WHERE start_ns IS NOT NULL;
CREATE INDEX temp.collective_by_group ON collective_place(device_id, step_group, id);

-- Calls that launch (1) and calls that wait for the device (2), by their names.
CREATE TEMP TABLE call_word(level INTEGER, type INTEGER, kind INTEGER, PRIMARY KEY(level, type)) WITHOUT ROWID;
INSERT INTO temp.call_word
SELECT level, type, CASE level WHEN 10000 THEN 1 ELSE 2 END FROM type_name
WHERE (level = 10000 AND name = 'launch') OR (level = 20000 AND lower(name) LIKE '%synchronize%');

-- The innermost call that holds the start of a gap, of the thread that launched the next task; for the longest gaps. Calls are numbered in order of
-- their start: the last one before the gap is searched by halves, and the call itself among the 1,000 before it.
CREATE TEMP TABLE gap_host(gap INTEGER PRIMARY KEY, name TEXT);
INSERT INTO temp.gap_host
WITH RECURSIVE longest AS (
  SELECT g.rowid AS gap, g.start_ns AS at_ns, t.thread_id FROM temp.gap g JOIN task t ON t.id = g.after_row AND t.launch_ns IS NOT NULL
  WHERE g.reason IN (1, 2) ORDER BY g.rowid LIMIT 20
), search AS (
  SELECT gap, at_ns, thread_id, 1 AS low, (SELECT max(connection_id) FROM api) AS high FROM longest
  UNION ALL
  SELECT s.gap, s.at_ns, s.thread_id, iif(a.start_ns <= s.at_ns, a.connection_id, s.low), iif(a.start_ns <= s.at_ns, s.high, a.connection_id - 1)
  FROM search s CROSS JOIN api a ON a.connection_id = (s.low + s.high + 1) / 2 WHERE s.low < s.high
)
SELECT gap, (SELECT coalesce(y.name, CAST(a.type AS TEXT)) FROM api a LEFT JOIN type_name y ON y.level = a.level AND y.type = a.type
  WHERE a.connection_id BETWEEN s.low - 1000 AND s.low AND a.thread_id = s.thread_id AND a.start_ns <= s.at_ns AND a.start_ns + a.dur_ns > s.at_ns
  ORDER BY a.connection_id DESC LIMIT 1)
FROM search s WHERE s.low >= s.high;

-- What threads that launch late were in meanwhile: their calls to the system between the begin of a gap and the launch that ends it, and the last one from before.
CREATE TEMP TABLE os_wait AS
SELECT tid, start_ns, start_ns + CAST(dur_ns AS INTEGER) AS end_ns, name FROM os_call WHERE dur_ns > 0 AND tid IN (SELECT thread_id FROM thread) ORDER BY tid, start_ns;
CREATE INDEX temp.os_wait_by_start ON os_wait(tid, start_ns);
CREATE TEMP TABLE gap_call(gap INTEGER, tid INTEGER, name TEXT, dur_ns INTEGER, ns INTEGER);
INSERT INTO temp.gap_call
WITH late AS (
  SELECT g.rowid AS gap, g.start_ns, g.launch_ns AS end_ns, t.thread_id AS tid,
    (SELECT w.rowid FROM temp.os_wait w WHERE w.tid = t.thread_id AND w.start_ns < g.start_ns ORDER BY w.start_ns DESC LIMIT 1) AS before
  FROM temp.gap g JOIN task t ON t.id = g.after_row AND t.launch_ns IS NOT NULL WHERE g.reason IN (1, 4) AND g.launch_ns > g.start_ns AND EXISTS (SELECT 1 FROM temp.os_wait)
)
SELECT l.gap, l.tid, w.name, w.end_ns - w.start_ns, min(w.end_ns, l.end_ns) - max(w.start_ns, l.start_ns) FROM late l CROSS JOIN temp.os_wait w
WHERE w.rowid = l.before AND w.end_ns > l.start_ns
UNION ALL
SELECT l.gap, l.tid, w.name, w.end_ns - w.start_ns, min(w.end_ns, l.end_ns) - w.start_ns FROM late l CROSS JOIN temp.os_wait w
WHERE w.tid = l.tid AND w.start_ns >= l.start_ns AND w.start_ns < l.end_ns;
DROP TABLE temp.os_wait;
