-- What must be true of a job of the Ascend 910 generation. sql/checks.sql says what follows, and when a trial fails. No check reads all rows of a large table.
-- SQLite takes columns without an aggregate, such as the stream of what was found, from the row of the only min() or max().

INSERT INTO standing(about, place, what)
SELECT 'tasks', 1, 'times of tasks' WHERE EXISTS (SELECT 1 FROM hwts_event)
UNION ALL SELECT 'cpu', 2, 'AI CPU' WHERE EXISTS (SELECT 1 FROM aicpu_events WHERE run_begin_tick IS NOT NULL)
UNION ALL SELECT 'steps', 3, 'iterations' WHERE EXISTS (SELECT 1 FROM step_trace)
UNION ALL SELECT 'names', 4, 'names of tasks' WHERE EXISTS (SELECT 1 FROM hwts_task) AND EXISTS (SELECT 1 FROM task_desc);

CREATE TEMP TABLE kind_of(target, about);
INSERT INTO kind_of VALUES ('hwts_event', 'tasks'), ('aicpu_events', 'cpu'), ('step_trace', 'steps'), ('task_desc', 'names');

CREATE TEMP TABLE trial(name TEXT, about TEXT, weight TEXT, says TEXT, checked INTEGER, failed INTEGER, file TEXT, found TEXT, least INTEGER DEFAULT 16);

INSERT INTO trial(name, about, weight, says, checked, failed, file, found, least)
SELECT layout || ' ' || name, about, 'contradiction', says, records, min(broken, records), file, NULL, 8
FROM layout_rule JOIN kind_of USING (target) WHERE name IN ('holds', 'order', 'agrees', 'padding', 'range')
UNION ALL SELECT layout || ' clock', about, 'doubt', 'the scheduler writes as it goes', records, records * (broken * 4 > records), file, broken || ' of ' || records
  || ' records are of an earlier time than the one before', 64
FROM layout_rule JOIN kind_of USING (target) WHERE name = 'rises';

-- Tasks and records that are looked at: all, or 16 times 64 that follow each other.
CREATE TEMP TABLE looked AS
SELECT w.value AS place, t.*, t.rowid AS row FROM (SELECT max(rowid) AS rows, min(max(rowid) / 64 + 1, 16) AS places FROM hwts_task) m CROSS JOIN numbers(m.places) w
CROSS JOIN hwts_task t ON t.rowid BETWEEN w.value * m.rows / m.places + 1 AND min(w.value * m.rows / m.places + 64, (w.value + 1) * m.rows / m.places);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'order', 'tasks', 'contradiction', 'tasks end after they start', count(*), count(*) FILTER (WHERE dur_ns < 0), 'a task takes ' || min(dur_ns) || ' ns' FROM looked;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'takes_time', 'tasks', 'doubt', 'most tasks take time', count(*), count(*) FILTER (WHERE dur_ns = 0), count(*) FILTER (WHERE dur_ns = 0) || ' of ' || count(*) || ' tasks take no time'
FROM looked;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'pairs', 'tasks', 'contradiction', 'starts and ends of tasks are pairs', unpaired + runs, CASE WHEN unpaired > 19 * runs THEN unpaired END,
  unpaired || ' starts and ends are alone, ' || runs || ' tasks have both'
FROM (SELECT count(*) AS unpaired FROM (SELECT 1 FROM unpaired LIMIT 100000)) CROSS JOIN (SELECT count(*) AS runs FROM looked);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'one_by_one', 'tasks', 'doubt', 'tasks of a stream run one after the other', count(*), count(*) FILTER (WHERE start_ns < before_ns),
  'stream ' || stream_id || ': a task starts ' || max((before_ns - start_ns) / 1000) || ' us before the end of the one before'
FROM (SELECT stream_id, start_ns, lag(start_ns + dur_ns) OVER (PARTITION BY place, device_id, stream_id ORDER BY start_ns, row) AS before_ns FROM looked) WHERE before_ns IS NOT NULL;

-- Points of iterations, and tasks of the AI CPU: the first 4096. All have the counter of the device, at 100 MHz where nothing tells.
CREATE TEMP TABLE looked_point AS
SELECT rowid AS row, type, task_id, stream_id, counter, lag(counter) OVER (ORDER BY rowid) AS before, lag(type) OVER (ORDER BY rowid) AS before_type FROM (SELECT rowid, * FROM step_trace LIMIT 4096);
CREATE TEMP TABLE looked_cpu AS SELECT * FROM aicpu_events WHERE run_begin_tick IS NOT NULL LIMIT 4096;
CREATE TEMP TABLE span AS
SELECT min(counter) AS begin, max(counter) AS end, (SELECT coalesce(min(counter_mhz), 100) FROM device) AS mhz
FROM (SELECT counter FROM (SELECT counter FROM hwts_event ORDER BY rowid LIMIT 4096) UNION ALL SELECT counter FROM (SELECT counter FROM hwts_event ORDER BY rowid DESC LIMIT 4096));

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'points_among', 'steps', 'doubt', 'iterations have points among the tasks', count(*), count(*) * (total(counter BETWEEN begin AND end) = 0), 'all are before or behind the tasks', 4
FROM looked_point CROSS JOIN span WHERE begin IS NOT NULL
UNION ALL SELECT 'points_rise', 'steps', 'doubt', 'points of iterations are in the order of their times', count(*), count(*) * (total(counter < before) * 4 > count(*)),
  CAST(total(counter < before) AS INTEGER) || ' of ' || count(*) || ' are earlier than the one before', 4
FROM looked_point WHERE before IS NOT NULL
UNION ALL SELECT 'points_differ', 'steps', 'doubt', 'points of iterations are told once', count(*), count(*) * (total(counter = before AND type = before_type) * 4 > count(*)), NULL, 4
FROM looked_point WHERE before IS NOT NULL
UNION ALL SELECT 'points_of_tasks', 'steps', 'doubt', 'each kind of point is of one task, in each iteration', total_int(points), total_int(points) * (max(tasks) > 1
  OR max(points) > 2 * min(points) + 2),
  max(tasks) || ' tasks have one kind, and ' || max(points) || ' points', 4
FROM (SELECT count(*) AS points, count(DISTINCT task_id * 65536 + stream_id) AS tasks FROM looked_point GROUP BY type)
UNION ALL SELECT 'points_end', 'steps', 'doubt', 'iterations have an end, of kind 255', count(*), count(*) * (total(type = 255) = 0), NULL, 32 FROM looked_point;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'cpu_order', 'cpu', 'contradiction', 'the driver is told before a task of the AI CPU begins and ends', count(*),
  count(*) FILTER (WHERE drv_top_tick > drv_bottom_tick OR drv_bottom_tick > run_begin_tick OR run_begin_tick > run_end_tick), NULL, 4 FROM looked_cpu
UNION ALL SELECT 'cpu_time', 'cpu', 'doubt', 'ticks of the AI CPU take half of the time that is told, or all of it', count(*),
  count(*) FILTER (WHERE (run_end_tick - run_begin_tick) / mhz NOT BETWEEN total_us * 0.5 - 10 AND total_us * 1.05 + 10),
  CAST(max((run_end_tick - run_begin_tick) / mhz) AS INTEGER) || ' us, and ' || max(total_us) || ' us are told', 4 FROM looked_cpu CROSS JOIN span
UNION ALL SELECT 'cpu_among', 'cpu', 'doubt', 'the AI CPU runs among the other tasks', count(*), count(*) * (total(run_end_tick >= begin AND run_begin_tick <= end) = 0),
  'all its tasks run before or behind them', 4
FROM looked_cpu CROSS JOIN span WHERE begin IS NOT NULL
UNION ALL SELECT 'cpu_number', 'cpu', 'doubt', 'the AI CPU has processors 0 to 63', count(*), count(*) FILTER (WHERE aicpu > 63), 'processor ' || max(aicpu), 4 FROM looked_cpu;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'described', 'names', 'doubt', 'tasks run that the framework describes', count(*), count(*) FILTER (WHERE d.task_id NOT IN (SELECT task_id FROM (SELECT task_id FROM hwts_task LIMIT 65536))),
  'task ' || min(d.task_id) || ' does not run', 4
FROM (SELECT task_id FROM task_desc LIMIT 4096) d
UNION ALL SELECT 'in_graph', 'names', 'doubt', 'operators that are described are in the graph', count(*), count(*) FILTER (WHERE op_name NOT IN (SELECT op_name FROM (SELECT op_name
  FROM graph_desc LIMIT 65536))),
  min(op_name) || ' is not', 4
FROM (SELECT op_name FROM task_desc LIMIT 4096) WHERE EXISTS (SELECT 1 FROM graph_desc)
UNION ALL SELECT 'blocks', 'names', 'doubt', 'operators have at most 65535 blocks', count(*), count(*) FILTER (WHERE block_dim > 65535), max(block_dim) || ' blocks', 4 FROM (SELECT block_dim
  FROM task_desc LIMIT 4096);

DROP TABLE looked_point;
DROP TABLE looked_cpu;
DROP TABLE span;
DROP TABLE looked;
