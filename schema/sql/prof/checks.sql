-- What must be true of a PROF directory. sql/checks.sql says what follows, and when a trial fails. No check reads all rows of a large table.
-- SQLite takes columns without an aggregate, such as the stream of what was found, from the row of the only min() or max().

INSERT INTO standing(about, place, what)
SELECT 'tasks', 1, 'times of tasks' WHERE EXISTS (SELECT 1 FROM task)
UNION ALL SELECT 'counters', 2, 'counters' WHERE EXISTS (SELECT 1 FROM source WHERE target IN ('pmu', 'block_pmu', 'v6_pmu', 'v6_block', 'aiv_pmu') AND records > 0)
UNION ALL SELECT 'calls', 3, 'calls' WHERE EXISTS (SELECT 1 FROM api)
UNION ALL SELECT 'steps', 4, 'iterations' WHERE EXISTS (SELECT 1 FROM step)
UNION ALL SELECT 'communication', 5, 'communication' WHERE EXISTS (SELECT 1 FROM comm_op)
UNION ALL SELECT 'names', 6, 'names of tasks' WHERE EXISTS (SELECT 1 FROM task) AND EXISTS (SELECT 1 FROM name);

CREATE TEMP TABLE kind_of(target, about);
INSERT INTO kind_of VALUES ('stars_log', 'tasks'), ('ffts_log', 'tasks'), ('hwts_event', 'tasks'), ('block_log', 'tasks'), ('task_track', 'tasks'),
  ('pmu', 'counters'), ('block_pmu', 'counters'), ('v6_pmu', 'counters'), ('v6_block', 'counters'), ('aiv_pmu', 'counters'), ('api', 'calls'), ('event', 'calls'),
  ('ts_step', 'steps'), ('hccl_info', 'communication'), ('hccl_op_info', 'communication'), ('node_basic_info', 'names'), ('tensor_info', 'names');

CREATE TEMP TABLE trial(name TEXT, about TEXT, weight TEXT, says TEXT, checked INTEGER, failed INTEGER, file TEXT, found TEXT, least INTEGER DEFAULT 16);

-- What the rules of layouts say. Communication may leave numbers out: its ranges are not looked at.
INSERT INTO trial(name, about, weight, says, checked, failed, file, found, least)
SELECT layout || ' ' || name, about, 'contradiction', says, records, min(broken, records), file, NULL, 8
FROM layout_rule JOIN kind_of USING (target) WHERE name IN ('holds', 'order', 'agrees', 'padding') OR (name = 'range' AND about <> 'communication')
UNION ALL SELECT layout || ' clock', about, 'doubt', 'the scheduler writes as it goes', records, records * (broken * 4 > records AND (SELECT count(*) FROM unpaired) * 4 > records), file,
  broken || ' of ' || records || ' records are of an earlier time than the one before', 64
FROM layout_rule JOIN kind_of USING (target) WHERE name = 'rises';

-- Tasks that are looked at: all, or 6 times 64 that follow each other.
CREATE TEMP TABLE looked AS
SELECT w.value AS place, t.id, t.device_id, t.stream_id, t.context_id, t.start_ns, t.dur_ns, t.thread_id, t.launch_ns, t.connection_id, t.model_id, t.is_op, t.key_id, t.host_type,
  t.kernel_name, t.op_name, t.op_type,
  max(coalesce(t.aic_cycles, 0), coalesce(t.aiv_cycles, 0)) AS cycles, t.aic_cycles IS NOT NULL OR t.aiv_cycles IS NOT NULL AS is_counted,
  nullif(max(coalesce(t.aic_us, 0), coalesce(t.aiv_us, 0)), 0) * 1000.0 / nullif(t.dur_ns, 0) AS busy
FROM (SELECT max(id) AS rows, min(max(id) / 64 + 1, 6) AS places FROM task) m CROSS JOIN numbers(m.places) w
CROSS JOIN task t ON t.id BETWEEN w.value * m.rows / m.places + 1 AND min(w.value * m.rows / m.places + 64, (w.value + 1) * m.rows / m.places);

-- The time of the collection, where clocks are told and not assumed.
CREATE TEMP TABLE told AS
SELECT b.value - 1000000000 AS begin_ns, coalesce((SELECT value FROM meta WHERE key = 'end_ns') + 1000000000, 9223372036854775807) AS end_ns
FROM meta b WHERE key = 'begin_ns' AND value IS NOT NULL AND EXISTS (SELECT 1 FROM control WHERE name = 'host_start.log' AND text IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM device WHERE host_monotonic_ns IS NULL);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'takes_time', 'tasks', 'doubt', 'most tasks take time', count(*), count(*) FILTER (WHERE dur_ns = 0), count(*) FILTER (WHERE dur_ns = 0) || ' of ' || count(*) || ' tasks take no time'
FROM looked WHERE start_ns IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'pairs', 'tasks', 'contradiction', 'starts and ends of tasks are pairs', unpaired + runs, CASE WHEN unpaired > 19 * runs THEN unpaired END,
  unpaired || ' starts and ends are alone, ' || runs || ' tasks have both'
FROM (SELECT count(*) AS unpaired FROM (SELECT 1 FROM unpaired LIMIT 100000)) CROSS JOIN (SELECT count(*) AS runs FROM looked WHERE start_ns IS NOT NULL);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'launched_before', 'tasks', 'doubt', 'tasks are launched before they start', count(*), count(*) FILTER (WHERE start_ns < launch_ns),
  'a task starts ' || max((launch_ns - start_ns) / 1000) || ' us before its launch'
FROM looked CROSS JOIN told WHERE launch_ns IS NOT NULL AND start_ns IS NOT NULL;

-- What a graph runs was launched when it was captured.
INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'soon', 'tasks', 'doubt', 'some tasks start within 10 s of their launch', count(*), count(*) * (min(start_ns - launch_ns) > 10000000000),
  'the first starts ' || (min(start_ns - launch_ns) / 1000000000) || ' s after its launch'
FROM looked CROSS JOIN told WHERE launch_ns IS NOT NULL AND start_ns IS NOT NULL AND model_id = 4294967295 AND key_id IS NULL AND NOT EXISTS (SELECT 1 FROM capture_stream_info);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'one_by_one', 'tasks', 'doubt', 'tasks of a stream run one after the other', count(*), count(*) FILTER (WHERE start_ns < before_ns),
  'stream ' || stream_id || ': a task starts ' || max((before_ns - start_ns) / 1000) || ' us before the end of the one before'
FROM (SELECT stream_id, start_ns, lag(start_ns + dur_ns) OVER (PARTITION BY place, device_id, stream_id ORDER BY start_ns, id) AS before_ns
      FROM looked WHERE start_ns IS NOT NULL AND context_id = 4294967295) WHERE before_ns IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'launch_order', 'tasks', 'doubt', 'tasks of a stream start in the order of their launches', count(*), count(*) FILTER (WHERE launch_ns < before_ns),
  'stream ' || (min(stream_id) FILTER (WHERE launch_ns < before_ns)) || ': a task starts behind one that was launched later'
FROM (SELECT stream_id, launch_ns, lag(launch_ns) OVER (PARTITION BY place, device_id, stream_id, thread_id ORDER BY start_ns, id) AS before_ns
      FROM looked WHERE start_ns IS NOT NULL AND launch_ns IS NOT NULL AND key_id IS NULL) WHERE before_ns IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'in_collection', 'tasks', 'doubt', 'tasks run while data is collected', count(*), count(*) FILTER (WHERE start_ns NOT BETWEEN begin_ns AND end_ns),
  'a task starts ' || max(CASE WHEN start_ns < begin_ns THEN begin_ns - start_ns ELSE start_ns - end_ns END / 1000000 + 1000) || ' ms away from the time of the collection'
FROM looked CROSS JOIN told WHERE start_ns IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'collection', 'tasks', 'doubt', 'the collection ends behind its begin', 1, end_ns - 2000000000 < begin_ns,
  'the collection ends ' || ((begin_ns - end_ns) / 1000000 + 2000) || ' ms before its begin', 1
FROM told;

-- A collection may begin among tasks and end among launches, but what lies between is of both.
INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'joined', 'tasks', 'doubt', 'the host launched what the device runs', ran + launched,
  (ran + launched) * (alone * 3 > ran AND unrun * 3 > launched AND (late_alone * 3 > ran OR early_unrun * 3 > launched)),
  alone || ' of ' || ran || ' tasks have no launch, ' || unrun || ' of ' || launched || ' launches no task', 64
FROM (SELECT count(start_ns) AS ran, count(launch_ns) AS launched,
        count(*) - count(launch_ns) + count(launch_ns) FILTER (WHERE start_ns IS NOT NULL) - count(DISTINCT launch_ns) FILTER (WHERE start_ns IS NOT NULL) AS alone,
          count(*) - count(start_ns) AS unrun,
        count(*) FILTER (WHERE launch_ns IS NULL AND start_ns > coalesce(first_ns, 0)) AS late_alone,
        count(*) FILTER (WHERE start_ns IS NULL AND launch_ns < coalesce(last_ns, 9223372036854775807)) AS early_unrun
      FROM looked CROSS JOIN (SELECT min(start_ns) AS first_ns, max(launch_ns) AS last_ns FROM looked WHERE launch_ns IS NOT NULL AND start_ns IS NOT NULL AND context_id = 4294967295)
      WHERE context_id = 4294967295);

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'understood', 'tasks', 'doubt', 'the chip of info.json writes the files that the device has', count(*), count(*) * (count(start_ns) = 0), 'no layout of the chip reads '
  || (SELECT min(file) FROM source WHERE state = 'unknown' AND file GLOB 'device_*/data/*'), 32
FROM looked WHERE EXISTS (SELECT 1 FROM source WHERE state = 'unknown' AND file GLOB 'device_*/data/*');

-- Cycles of the cores against the time of the task: a core cannot be busy for longer. Frequencies change, and blocks are told late.
CREATE TEMP TABLE busy AS
SELECT busy, number * 2 / (rows + 1) = 1 AND (number - 1) * 2 <= rows AS middle, rows FROM (
  SELECT busy, row_number() OVER (ORDER BY busy) AS number, count(*) OVER () AS rows FROM looked WHERE busy IS NOT NULL AND dur_ns > 0);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'cycles', 'counters', 'doubt', 'the cores count no more cycles than a task takes', max(rows), max(rows) * (min(busy) > 4), 'the cycles of most tasks take '
  || CAST(min(busy) AS INTEGER) || ' times as long as the tasks'
FROM busy WHERE middle;
INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'cycles_fill', 'counters', 'doubt', 'the cycles of the cores fill an eighth of a task', max(rows), max(rows) * (max(busy) * 8 < 1), 'the cycles of most tasks take 1/'
  || CAST(1 / max(busy) AS INTEGER) || ' of the tasks', 32
FROM busy WHERE middle;
DROP TABLE busy;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'counted', 'counters', 'doubt', 'tasks with counters have cycles', count(*), count(*) FILTER (WHERE cycles = 0), NULL
FROM looked WHERE is_counted;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'counters_of_tasks', 'counters', 'doubt', 'tasks have the counters that were recorded', count(*), count(*) * (count(*) FILTER (WHERE is_counted) * ran * 2 <= count(*) * min(recorded, ran)),
  recorded || ' records of counters for ' || ran || ' tasks, but ' || (count(*) FILTER (WHERE is_counted)) || ' of ' || count(*) || ' tasks have any', 32
FROM looked CROSS JOIN (SELECT total_int(records) FILTER (WHERE target = 'pmu') AS recorded, total_int(records) FILTER (WHERE target = 'stars_log') / 2 AS ran FROM source)
WHERE start_ns IS NOT NULL AND context_id = 4294967295 AND recorded * 2 > ran;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'counters_in_time', 'counters', 'doubt', 'counters end when their task has begun', found, before, before || ' of ' || found || ' counters end before their task begins' FROM temp.counters_seen;
DROP TABLE temp.counters_seen;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'pipes', 'counters', 'doubt', 'no part of a core is busy for longer than the core', count(*), count(*) FILTER (WHERE most > 1.1), 'a part is busy for '
  || CAST(max(most) * 100 AS INTEGER) || ' % of the cycles'
FROM (SELECT t.id, max(CASE m.core WHEN 'aic' THEN 1.0 * pick(m.position, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8,
  t.aic_pmu9) / nullif(t.aic_cycles, 0)
        ELSE 1.0 * pick(m.position, t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) / nullif(t.aiv_cycles, 0) END) AS most
      FROM (SELECT id FROM looked WHERE is_counted AND place % 3 = 0) l CROSS JOIN task t ON t.id = l.id JOIN core_metric m ON m.device_id = t.device_id
      WHERE m.what IN ('pipe', 'ratio') AND m.position IS NOT NULL GROUP BY t.id) WHERE most IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'icache', 'counters', 'doubt', 'at most twice as many requests miss the instruction cache as there are', count(*), count(*) * (total(misses > 2 * requests) > 0.9 * count(*)),
  max(misses) || ' misses', 32
FROM (SELECT CASE m.core
    WHEN 'aic' THEN pick(m.position, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9)
    ELSE pick(m.position, t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) END AS misses, CASE m.core
    WHEN 'aic' THEN pick(m.per_position, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9)
    ELSE pick(m.per_position, t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) END AS requests
  FROM (SELECT id FROM looked WHERE is_counted AND place % 3 = 0) l CROSS JOIN task t ON t.id = l.id JOIN core_metric m ON m.device_id = t.device_id
  WHERE m.name = 'icache_miss_rate' AND m.position IS NOT NULL AND m.per_position IS NOT NULL) WHERE misses IS NOT NULL AND requests IS NOT NULL;

-- The slowest and fastest clocks that such a core could have.
INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'frequency', 'counters', 'contradiction', 'the cores have a frequency of 100 to 4000 MHz', count(*), count(*) FILTER (WHERE mhz NOT BETWEEN 100 AND 4000),
  'the cores have ' || (max(mhz) FILTER (WHERE mhz NOT BETWEEN 100 AND 4000)) || ' MHz, not 100 to 4000', 1
FROM (SELECT mhz FROM core_frequency LIMIT 4096);

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'host_frequency', 'calls', 'doubt', 'the counter of the host runs at no more than 6000 MHz', count(*), count(*) FILTER (WHERE mhz > 6000),
  'the counter of the host runs at ' || max(mhz) || ' MHz, more than 6000', 1
FROM (SELECT CAST(json_extract(text, '$.CPU[0].Frequency') AS INTEGER) AS mhz FROM control WHERE name = 'info.json' AND device_id IS NULL AND text IS NOT NULL) WHERE mhz > 0;

-- Calls that are looked at, in order of their start.
CREATE TEMP TABLE looked_call AS
SELECT w.value AS place, a.* FROM (SELECT max(connection_id) AS rows, min(max(connection_id) / 64 + 1, 6) AS places FROM api) m CROSS JOIN numbers(m.places) w
CROSS JOIN api a ON a.connection_id BETWEEN w.value * m.rows / m.places + 1 AND min(w.value * m.rows / m.places + 64, (w.value + 1) * m.rows / m.places);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'call_order', 'calls', 'contradiction', 'calls end after they start', count(*), count(*) FILTER (WHERE dur_ns < 0), 'a call takes ' || min(dur_ns) || ' ns' FROM looked_call;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'calls_in_collection', 'calls', 'doubt', 'calls are made while data is collected', count(*), count(*) FILTER (WHERE start_ns NOT BETWEEN begin_ns AND end_ns),
  'a call starts ' || max(CASE WHEN start_ns < begin_ns THEN begin_ns - start_ns ELSE start_ns - end_ns END / 1000000 + 1000) || ' ms away from the time of the collection', 48
FROM looked_call CROSS JOIN told;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'calls_apart', 'calls', 'doubt', 'calls of a thread and level are made one after the other', count(*), count(*) FILTER (WHERE start_ns < before_ns),
  'thread ' || thread_id || ': a call starts ' || max((before_ns - start_ns) / 1000) || ' us before the end of the one before'
FROM (SELECT thread_id, start_ns, lag(start_ns + dur_ns) OVER (PARTITION BY place, thread_id, level ORDER BY connection_id) AS before_ns FROM looked_call) WHERE before_ns IS NOT NULL;

-- A program that launched its tasks waits for them in a call. A clock of the host that is taken for a faster one ends long before them.
INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'as_long_as_tasks', 'calls', 'doubt', 'calls are made in a quarter of the time in which tasks run', tasks, tasks * (calls_ns * 4 < tasks_ns),
  (calls_ns / 1000) || ' us of ' || (tasks_ns / 1000) || ' us', 32
FROM (SELECT count(*) AS tasks, max(start_ns) - min(start_ns) AS tasks_ns FROM (
    SELECT min(start_ns) AS start_ns FROM looked WHERE launch_ns IS NOT NULL AND start_ns IS NOT NULL AND model_id = 4294967295 AND key_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM capture_stream_info) AND NOT EXISTS (SELECT 1 FROM capture_op_info) GROUP BY launch_ns HAVING count(*) = 1))
CROSS JOIN (SELECT max(start_ns + dur_ns) - min(start_ns) AS calls_ns FROM looked_call) CROSS JOIN told WHERE calls_ns > 0;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'launch_in_call', 'calls', 'doubt', 'tasks are launched in calls', count(*), count(*) FILTER (WHERE connection_id IS NULL), count(*) FILTER (WHERE connection_id IS NULL) || ' of '
  || count(*) || ' launches lie in no call'
FROM looked WHERE launch_ns IS NOT NULL AND EXISTS (SELECT 1 FROM looked_call WHERE level IN (10000, 15000, 20000));
DROP TABLE looked_call;

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'call_types', 'names', 'doubt', 'type_info_dic has the types of calls', total_int(count), total_int(count) FILTER (WHERE NOT known), (count(*) FILTER (WHERE NOT known))
  || ' types of calls have no name'
FROM (SELECT count, EXISTS (SELECT 1 FROM type_name t WHERE t.level = k.id >> 32 AND t.type = k.id & 4294967295) AS known FROM call_kind k) WHERE EXISTS (SELECT 1 FROM type_name);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'named', 'names', 'doubt', 'hash_dic has the names of operators', count(*), count(*) FILTER (WHERE n.name IS NULL OR op_type <> 0 AND y.name IS NULL),
  (count(*) FILTER (WHERE n.name IS NULL OR op_type <> 0 AND y.name IS NULL)) || ' of ' || count(*) || ' tasks have no name, such as that of number '
    || max(CASE WHEN n.name IS NULL THEN op_name WHEN op_type <> 0 AND y.name IS NULL THEN op_type END)
FROM looked t LEFT JOIN name n ON n.hash = t.op_name LEFT JOIN name y ON y.hash = t.op_type WHERE op_name IS NOT NULL AND EXISTS (SELECT 1 FROM hash_dic);

-- A node that is described outside of its call leaves its task the name of a kernel alone.
INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'described', 'names', 'doubt', 'operators are described in the call of their node', count(*), count(*) FILTER (WHERE op_name IS NULL OR op_type = kernel_name AND op_name = kernel_name),
  count(*) FILTER (WHERE op_name IS NULL OR op_type = kernel_name AND op_name = kernel_name) || ' of ' || count(*) || ' tasks have no description'
FROM looked WHERE launch_ns IS NOT NULL AND (is_op = 1 OR host_type IN (SELECT kind FROM host_kind WHERE name GLOB 'KERNEL*')) AND NOT (SELECT value FROM meta WHERE key = 'level0')
  AND EXISTS (SELECT 1 FROM api)
  AND (SELECT total_int(records) FILTER (WHERE target = 'node_basic_info') * 2 >= total_int(records) FILTER (WHERE target = 'task_track') FROM source);

INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'types', 'names', 'doubt', 'operators have more names than types', count(*), count(*) * (count(DISTINCT op_type) > 2 * count(DISTINCT op_name)),
  'operators have ' || count(DISTINCT op_type) || ' types, and only ' || count(DISTINCT op_name) || ' names'
FROM looked WHERE op_name IS NOT NULL AND op_type IS NOT NULL;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'step_order', 'steps', 'contradiction', 'FP, BP and end of an iteration follow each other', count(*), count(*) FILTER (WHERE fp_ns > bp_ns OR bp_ns > end_ns OR start_ns > end_ns), NULL, 4
FROM (SELECT * FROM step LIMIT 4096);

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'steps_in_collection', 'steps', 'doubt', 'iterations end while data is collected', count(*), count(*) FILTER (WHERE s.end_ns NOT BETWEEN t.begin_ns AND t.end_ns), NULL, 2
FROM (SELECT * FROM step LIMIT 4096) s CROSS JOIN told t;

INSERT INTO trial(name, about, weight, says, checked, failed, found, least)
SELECT 'collectives', 'communication', 'contradiction', 'collectives end after they start', count(*), count(*) FILTER (WHERE end_ns < start_ns), NULL, 4
FROM (SELECT * FROM comm_op LIMIT 4096) WHERE start_ns IS NOT NULL;

-- More than any link of these chips moves. Numbers of 63 bits are places that nobody wrote.
INSERT INTO trial(name, about, weight, says, checked, failed, found)
SELECT 'link_rate', 'communication', 'doubt', 'a link moves at most 2000 bytes in a nanosecond', count(*), count(*) FILTER (WHERE bandwidth > 2000), 'a link moves ' || CAST(max(bandwidth) AS INTEGER)
  || ' bytes in a nanosecond, more than 2000'
FROM (SELECT c.bandwidth FROM comm_task c JOIN hccl_info h ON h.rowid = c.info_row WHERE c.bandwidth > 0 AND h.size < 4611686018427387904 LIMIT 4096);

DROP TABLE looked;

-- Clocks of samples: sql/samples/checks.sql.
CREATE TEMP TABLE sample_clock AS
SELECT d.device_id, d.host_monotonic_ns AS zero_ns, coalesce(c.ahead_ns, 0) AS own_ns, -(SELECT value FROM meta WHERE key = 'wall_offset_ns') AS day_ns
FROM device d LEFT JOIN setting c USING (device_id);
