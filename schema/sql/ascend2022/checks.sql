-- What must be true of a job of the 2022 generation. sql/checks.sql says what follows, and when a trial fails. No check reads all rows of a large table.
-- SQLite takes columns without an aggregate, such as the stream of what was found, from the row of the only min() or max().

INSERT INTO standing(about, place, what)
SELECT 'tasks', 1, 'times of tasks' WHERE EXISTS (SELECT 1 FROM task)
UNION ALL SELECT 'counters', 2, 'counters' WHERE EXISTS (SELECT 1 FROM aicore_pmu)
UNION ALL SELECT 'calls', 3, 'calls' WHERE EXISTS (SELECT 1 FROM api_call)
UNION ALL SELECT 'steps', 4, 'iterations' WHERE EXISTS (SELECT 1 FROM source WHERE target = 'ts_step' AND records > 0)
UNION ALL SELECT 'names', 5, 'names of tasks' WHERE EXISTS (SELECT 1 FROM task) AND EXISTS (SELECT 1 FROM op);

CREATE TEMP TABLE kind_of(target, about);
INSERT INTO kind_of VALUES ('hwts_event', 'tasks'), ('aicpu_node', 'tasks'), ('aicore_pmu', 'counters'), ('api_call', 'calls'), ('ts_step', 'steps'), ('task_desc', 'names');

CREATE TEMP TABLE trial(name TEXT, about TEXT, weight TEXT, says TEXT, checked INTEGER, failed INTEGER, file TEXT, found TEXT, least INTEGER DEFAULT 5);

INSERT INTO trial(name, about, weight, says, checked, failed, file, found, least)
SELECT layout || ' ' || name, about, 'contradiction', says, records, min(broken, records), file, NULL, 8
FROM layout_rule JOIN kind_of USING (target) WHERE name IN ('holds', 'order', 'agrees', 'padding', 'range')
UNION ALL SELECT layout || ' clock', about, 'doubt', 'the scheduler writes as it goes', records, records * (broken * 4 > records), file, broken || ' of ' || records
  || ' records are of an earlier time than the one before', 64
FROM layout_rule JOIN kind_of USING (target) WHERE name = 'rises';

-- Tasks that are looked at: all, or 16 times 64 that follow each other.
CREATE TEMP TABLE looked AS
SELECT w.value AS place, t.*, s.aic_mhz, 1000.0 * p.total_cycles / s.aic_mhz / nullif(t.dur_ns, 0) AS busy, p.total_cycles,
  CASE WHEN s.metrics IN ('PipeUtilization', 'ArithmeticUtilization') THEN (
    SELECT 1.0 * max(pick(c.position, p.pmu0, p.pmu1, p.pmu2, p.pmu3, p.pmu4, p.pmu5, p.pmu6, p.pmu7)) / nullif(p.total_cycles, 0)
    FROM counter c JOIN metric_event m ON m.metrics = s.metrics AND m.event = c.event WHERE c.device_id = t.device_id AND c.event NOT IN (0x54, 0x55)) END AS part,
  min(max(coalesce(o.block_dim, 1), 1), s.aic_num) AS cores,
  (SELECT pick(c.position, p.pmu0, p.pmu1, p.pmu2, p.pmu3, p.pmu4, p.pmu5, p.pmu6, p.pmu7) FROM counter c WHERE c.device_id = t.device_id AND c.event = 0x54) AS icache_requests,
  (SELECT pick(c.position, p.pmu0, p.pmu1, p.pmu2, p.pmu3, p.pmu4, p.pmu5, p.pmu6, p.pmu7) FROM counter c WHERE c.device_id = t.device_id AND c.event = 0x55) AS icache_misses
FROM (SELECT max(id) AS rows, min(max(id) / 64 + 1, 16) AS places FROM task) m CROSS JOIN numbers(m.places) w
CROSS JOIN task t ON t.id BETWEEN w.value * m.rows / m.places + 1 AND min(w.value * m.rows / m.places + 64, (w.value + 1) * m.rows / m.places)
JOIN setting s ON s.device_id = t.device_id LEFT JOIN aicore_pmu p ON p.rowid = t.pmu_row LEFT JOIN op o ON o.id = t.op_id;

-- Where both clocks tell the beginning, devices and calls have the time of the collection.
CREATE TEMP TABLE told AS
SELECT device_id, (CAST(json_extract(text, '$.clockMonotonicRaw') AS INTEGER)) - 1000000000 AS begin_ns,
  coalesce((SELECT CAST(json_extract(e.text, '$.clockMonotonicRaw') AS INTEGER) + 1000000000 FROM control e
    WHERE e.name = 'end_info' AND e.device_id IS c.device_id AND CAST(json_extract(e.text, '$.clockMonotonicRaw') AS INTEGER) > 0), 9223372036854775807) AS end_ns
FROM control c WHERE name = 'start_info' AND CAST(json_extract(text, '$.clockMonotonicRaw') AS INTEGER) > 0;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'order', 'tasks', 'contradiction', 'tasks end after they start', count(*), count(*) FILTER (WHERE dur_ns < 0),
  'stream ' || stream_id || ': a task takes ' || min(dur_ns) || ' ns'
FROM looked;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'takes_time', 'tasks', 'doubt', 'most tasks take time', count(*), count(*) FILTER (WHERE dur_ns = 0), count(*) FILTER (WHERE dur_ns = 0) || ' of ' || count(*) || ' tasks take no time'
FROM looked;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'pairs', 'tasks', 'contradiction', 'starts and ends of tasks are pairs', unpaired + runs, CASE WHEN unpaired > 19 * runs THEN unpaired END,
  unpaired || ' starts and ends are alone, ' || runs || ' tasks have both'
FROM (SELECT count(*) AS unpaired FROM (SELECT 1 FROM unpaired LIMIT 100000)) CROSS JOIN (SELECT count(*) AS runs FROM looked WHERE node_row IS NULL);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'one_by_one', 'tasks', 'doubt', 'tasks of a stream run one after the other', count(*), count(*) FILTER (WHERE start_ns < before_ns),
  'stream ' || stream_id || ': a task starts ' || max((before_ns - start_ns) / 1000) || ' us before the end of the one before'
FROM (SELECT stream_id, start_ns, lag(start_ns + dur_ns) OVER (PARTITION BY place, device_id, stream_id ORDER BY start_ns, id) AS before_ns FROM looked WHERE node_row IS NULL)
WHERE before_ns IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'in_collection', 'tasks', 'doubt', 'tasks run while data is collected', count(*), count(*) FILTER (WHERE start_ns NOT BETWEEN begin_ns AND end_ns),
  'a task starts ' || max(CASE WHEN start_ns < begin_ns THEN begin_ns - start_ns ELSE start_ns - end_ns END / 1000000 + 1000) || ' ms away from the time of the collection'
FROM looked l JOIN told t ON t.device_id = l.device_id JOIN setting s ON s.device_id = l.device_id WHERE s.host_ns > 0;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'collection', 'tasks', 'doubt', 'the collection ends behind its begin', count(*), count(*) FILTER (WHERE end_ns - 2000000000 < begin_ns), NULL, 1 FROM told;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'described_before', 'tasks', 'doubt', 'operators are described before they run', count(*), count(*) FILTER (WHERE l.start_ns < o.time_ns),
  'a task starts ' || max((o.time_ns - l.start_ns) / 1000) || ' us before the framework describes it'
FROM looked l JOIN op o ON o.id = l.op_id JOIN setting s ON s.device_id = l.device_id WHERE s.host_ns > 0;

-- Cycles of the core against the time of the task: a core cannot be busy for longer.
CREATE TEMP TABLE busy AS
SELECT busy, number * 2 / (rows + 1) = 1 AND (number - 1) * 2 <= rows AS middle, rows FROM (
  SELECT busy, row_number() OVER (ORDER BY busy) AS number, count(*) OVER () AS rows FROM looked WHERE total_cycles > 0 AND dur_ns > 0);
INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'cycles', 'counters', 'doubt', 'the core counts no more cycles than a task takes', max(rows), max(rows) * (min(busy) > 4), 'the cycles of most tasks take '
  || CAST(min(busy) AS INTEGER) || ' times as long as the tasks'
FROM busy WHERE middle;
INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'cycles_fill', 'counters', 'doubt', 'the cycles of the core fill an eighth of a task', max(rows), max(rows) * (max(busy) * 8 < 1), 'the cycles of most tasks take 1/'
  || CAST(1 / max(busy) AS INTEGER) || ' of the tasks', 32
FROM busy WHERE middle;
DROP TABLE busy;
INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'cycles_each', 'counters', 'doubt', 'the cores of a task count no more cycles than it takes', count(*), count(*) * (total(busy > 1.25 * cores) * 10 > count(*)),
  count(*) FILTER (WHERE busy > 1.25 * cores) || ' of ' || count(*) || ' tasks have more', 32
FROM looked WHERE total_cycles > 0 AND dur_ns > 0;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'counter_order', 'counters', 'doubt', 'counters are in the order in which tasks end', count(*), count(*) * (total(pmu_row < before_row) * 4 > count(*)),
  count(*) FILTER (WHERE pmu_row < before_row) || ' of ' || count(*) || ' are before those of the task before', 32
FROM (SELECT pmu_row, lag(pmu_row) OVER (PARTITION BY place, device_id ORDER BY start_ns + dur_ns, id) AS before_row FROM looked WHERE pmu_row IS NOT NULL) WHERE before_row IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'counters_of_tasks', 'counters', 'doubt', 'there are no more counters than tasks', recorded, recorded * (recorded * 2 > ran * 3), recorded || ' records of counters for ' || ran || ' tasks', 32
FROM (SELECT total_int(records) FILTER (WHERE target = 'aicore_pmu') AS recorded, (total_int(records) FILTER (WHERE target = 'hwts_event') + 1) / 2 AS ran FROM source) WHERE ran > 0;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'icache', 'counters', 'doubt', 'at most twice as many requests miss the instruction cache as there are', count(*), count(*) * (total(icache_misses > 2 * icache_requests) > 0.9 * count(*)),
  max(icache_misses) || ' misses', 32
FROM looked WHERE icache_misses IS NOT NULL AND icache_requests IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'counted', 'counters', 'doubt', 'tasks with counters have cycles', count(*), count(*) FILTER (WHERE total_cycles = 0), NULL FROM looked WHERE total_cycles IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'of_tasks', 'counters', 'doubt', 'tasks have the counters that were recorded', count(*), count(*) FILTER (WHERE pmu_row IS NULL), count(*) FILTER (WHERE pmu_row IS NULL) || ' of ' || count(*)
  || ' tasks have no counters'
FROM looked l JOIN op o ON o.id = l.op_id WHERE o.task_type = 'AI_CORE' AND l.node_row IS NULL AND EXISTS (SELECT 1 FROM aicore_pmu);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'pipes', 'counters', 'doubt', 'no part of a core is busy for longer than the core', count(*), count(*) FILTER (WHERE part > 1.1), 'a part is busy for '
  || CAST(max(part) * 100 AS INTEGER) || ' % of the cycles'
FROM looked WHERE part IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'frequency', 'counters', 'contradiction', 'the cores have a frequency of 100 to 4000 MHz', count(*), count(*) FILTER (WHERE aic_mhz NOT BETWEEN 100 AND 4000),
  'the cores have ' || max(aic_mhz) || ' MHz, not 100 to 4000', 1 FROM setting;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'named', 'names', 'doubt', 'the framework describes the tasks', count(*), count(*) FILTER (WHERE op_id IS NULL), count(*) FILTER (WHERE op_id IS NULL) || ' of ' || count(*)
  || ' tasks have no description'
FROM looked WHERE node_row IS NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'in_steps', 'steps', 'doubt', 'tasks run in iterations', count(*), count(*) FILTER (WHERE s.id IS NULL OR l.start_counter < s.start_counter), NULL
FROM looked l LEFT JOIN step s ON s.id = l.step_id WHERE EXISTS (SELECT 1 FROM step);

-- Points of a training may lack the begin.
INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'step_points', 'steps', 'doubt', 'points of iterations begin and end some', total_int(records),
  total_int(records) * (NOT EXISTS (SELECT 1 FROM step) AND NOT EXISTS (SELECT 1 FROM (SELECT tag_id FROM ts_step LIMIT 4096) WHERE tag_id = 4)), 'none has both'
FROM source WHERE target = 'ts_step';

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'points_differ', 'steps', 'doubt', 'points of iterations are told once', count(*), count(*) * (total(same) * 4 > count(*)),
  CAST(total(same) AS INTEGER) || ' of ' || count(*) || ' are as the one before', 4
FROM (SELECT time_ns = lag(time_ns) OVER w AND tag_id = lag(tag_id) OVER w AND index_id = lag(index_id) OVER w AS same FROM (SELECT rowid AS row, * FROM ts_step LIMIT 4096) WINDOW w AS (ORDER BY row))
WHERE same IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'step_models', 'steps', 'doubt', 'some iterations are of models that the framework describes', count(*), count(*) * (total(unknown) * 4 > count(*) * 3), 'model ' || max(model_id), 8
FROM (SELECT model_id, model_id NOT IN (SELECT model_id FROM model_load UNION SELECT model_id FROM (SELECT model_id FROM op LIMIT 4096)) AS unknown FROM step LIMIT 4096) WHERE EXISTS (SELECT 1
  FROM model_load) AND EXISTS (SELECT 1 FROM op WHERE model_id <> 4294967295);

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'step_cuts', 'steps', 'doubt', 'iterations end between tasks', count(DISTINCT s.id), count(DISTINCT s.id) FILTER (WHERE l.end_counter > s.end_counter),
  count(DISTINCT s.id) FILTER (WHERE l.end_counter > s.end_counter) || ' end within a task', 4
FROM looked l JOIN step s ON s.id = l.step_id;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'step_order', 'steps', 'contradiction', 'FP, BP and end of an iteration follow each other', count(*),
  count(*) FILTER (WHERE start_counter > end_counter OR fp_counter > bp_counter OR bp_counter > end_counter), NULL, 2
FROM (SELECT * FROM step LIMIT 4096);

CREATE TEMP TABLE looked_call AS
SELECT w.value AS place, a.*, a.rowid AS row FROM (SELECT max(rowid) AS rows, min(max(rowid) / 64 + 1, 16) AS places FROM api_call) m CROSS JOIN numbers(m.places) w
CROSS JOIN api_call a ON a.rowid BETWEEN w.value * m.rows / m.places + 1 AND min(w.value * m.rows / m.places + 64, (w.value + 1) * m.rows / m.places);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'call_order', 'calls', 'contradiction', 'calls end after they start', count(*), count(*) FILTER (WHERE dur_ns < 0), 'a call takes ' || min(dur_ns) || ' ns' FROM looked_call;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'calls_in_collection', 'calls', 'doubt', 'calls are made while data is collected', count(*),
  count(*) FILTER (WHERE start_ns NOT BETWEEN begin_ns AND end_ns OR start_ns + dur_ns > end_ns), NULL
FROM looked_call CROSS JOIN (SELECT min(begin_ns) AS begin_ns, max(end_ns) AS end_ns FROM told) WHERE begin_ns IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'calls_apart', 'calls', 'doubt', 'calls of a thread and kind are made one after the other', count(*), count(*) FILTER (WHERE start_ns < before_ns),
  'thread ' || tid || ': a call starts ' || max((before_ns - start_ns) / 1000) || ' us before the end of the one before'
FROM (SELECT tid, start_ns, lag(start_ns + dur_ns) OVER (PARTITION BY place, pid, tid, type ORDER BY start_ns, row) AS before_ns FROM looked_call) WHERE before_ns IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'call_types', 'calls', 'doubt', 'kinds of calls are known', count(*), count(*) FILTER (WHERE type NOT BETWEEN 1 AND 4), NULL FROM looked_call;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'call_process', 'calls', 'doubt', 'calls are of the process of info.json', count(*), count(*) FILTER (WHERE c.pid <> s.pid), 'process ' || max(c.pid)
FROM looked_call c CROSS JOIN (SELECT min(pid) AS pid FROM setting HAVING min(pid) = max(pid)) s WHERE s.pid > 0;
DROP TABLE looked_call;
DROP TABLE looked;

-- Clocks of samples: sql/samples/checks.sql.
CREATE TEMP TABLE sample_clock AS
SELECT device_id, host_ns AS zero_ns, host_ns - device_ns AS own_ns, host_ns AS day_ns FROM setting WHERE host_ns > 0;
