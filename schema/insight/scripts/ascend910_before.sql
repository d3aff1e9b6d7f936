-- A group is a device. Its steps are the iterations, of which point 255 is the end, as far as the log of tasks reaches; else the whole log is one step.
-- Where the user chose, only chosen iterations are steps. Tasks have no model, so that none can be chosen.
CREATE TEMP TABLE op_class(k1 INTEGER, k2 INTEGER, k3 INTEGER, k4 INTEGER, class INTEGER);
CREATE TEMP TABLE op_type(id INTEGER PRIMARY KEY, class INTEGER, converts INTEGER);
INSERT INTO temp.op_type
SELECT o.id, min(c.class), max(c.converts) FROM hwts_op o JOIN temp.operator_class c ON c.family = 'ascend' AND lower(o.type) GLOB c.pattern GROUP BY o.id;

CREATE TEMP TABLE device_track AS
SELECT device_id AS track, min(start_ns) AS first_ns, max(start_ns + dur_ns) AS last_ns FROM hwts_task WHERE start_ns IS NOT NULL GROUP BY device_id;
CREATE TEMP TABLE point AS
SELECT s.device_id, p.type, p.time_ns FROM source s CROSS JOIN step_trace p
WHERE s.target = 'step_trace' AND p.rowid BETWEEN s.first_row AND s.last_row AND p.time_ns IS NOT NULL;
CREATE TEMP TABLE range(track INTEGER, id INTEGER PRIMARY KEY, start_ns INTEGER, end_ns INTEGER, iteration INTEGER);
INSERT INTO temp.range
SELECT x.device_id AS track, row_number() OVER (ORDER BY x.device_id, x.end_ns) + 1000000 AS id, x.start_ns, x.end_ns, x.iteration
FROM (SELECT device_id, coalesce(lag(time_ns) OVER t, (SELECT min(f.time_ns) FROM temp.point f WHERE f.device_id = p.device_id)) AS start_ns, time_ns AS end_ns,
        row_number() OVER t AS iteration
      FROM temp.point p WHERE type = 255 WINDOW t AS (PARTITION BY device_id ORDER BY time_ns)) x
JOIN temp.device_track d ON d.track = x.device_id WHERE x.start_ns >= d.first_ns AND x.end_ns <= d.last_ns AND x.end_ns > x.start_ns
  AND EXISTS (SELECT 1 FROM temp.choice c WHERE c.model_id IS NULL AND x.iteration IS coalesce(c.step, x.iteration));
DELETE FROM temp.device_track WHERE (SELECT chosen FROM temp.choice) AND track NOT IN (SELECT track FROM temp.range);

-- Collective operations lie between two points, an odd one and the next one, which have the same operator.
CREATE TEMP TABLE collective AS
SELECT p.device_id AS grp, p.type AS point, n.op_name AS name, p.start_ns, p.end_ns
FROM (SELECT device_id, type, time_ns AS start_ns, lead(type) OVER t AS next_type, lead(time_ns) OVER t AS end_ns
      FROM temp.point WHERE type BETWEEN 3 AND 254 WINDOW t AS (PARTITION BY device_id, (type + 1) / 2 ORDER BY time_ns, type)) p
JOIN (SELECT a.point, a.op_name FROM trace_point a JOIN trace_point b ON b.point = a.point + 1 AND b.op_name = a.op_name GROUP BY a.point) n ON n.point = p.type
WHERE p.type % 2 = 1 AND p.next_type = p.type + 1;

-- What each processor of the AI CPU ran, in ns of the counter.
CREATE TEMP TABLE aicpu_run AS
SELECT s.device_id, e.rowid AS row, e.aicpu, CAST(e.run_begin_tick * 1000.0 / d.counter_mhz AS INTEGER) AS start_ns,
  CAST((e.run_end_tick - e.run_begin_tick) * 1000.0 / d.counter_mhz AS INTEGER) AS dur_ns
FROM source s CROSS JOIN aicpu_events e JOIN device d ON d.device_id = s.device_id
WHERE s.target = 'aicpu_events' AND e.rowid BETWEEN s.first_row AND s.last_row AND e.run_end_tick >= e.run_begin_tick AND d.counter_mhz > 0;
