-- Joins what torch_npu recorded to the tasks of the job, as its own analysis does. Times are ns since 1970.

-- The settings of the profiler.
CREATE TEMP TABLE profile AS
SELECT coalesce(json_extract(s.text, '$.config.experimental_config._profiler_level'), 'Level0') AS level,
  coalesce(json_extract(s.text, '$.config.experimental_config._l2_cache'), 0) AS l2_cache,
  coalesce(json_extract(s.text, '$.config.experimental_config._sys_io'), 0) AS sys_io,
  coalesce(json_extract(s.text, '$.config.experimental_config._sys_interconnection'), 0) AS interconnection,
  coalesce(json_extract(s.text, '$.start_info.syscnt_enable'), 0) AS counts,
  EXISTS (SELECT 1 FROM json_each(s.text, '$.config.common_config.activities') WHERE value = 'ProfilerActivity.CPU')
    AND EXISTS (SELECT 1 FROM temp.framework_file) AS has_cpu,
  EXISTS (SELECT 1 FROM json_each(s.text, '$.config.common_config.activities') WHERE value = 'ProfilerActivity.NPU') AS has_npu,
  EXISTS (SELECT 1 FROM temp.framework_file WHERE layout = 'pytorch.op_mark') AS has_queue,
  EXISTS (SELECT 1 FROM setting s LEFT JOIN chip c ON c.chip = s.chip WHERE c.old OR s.sampled) AS old_trace,
  CASE WHEN EXISTS (SELECT 1 FROM setting s JOIN chip c ON c.chip = s.chip WHERE c.old) THEN w.text_ns ELSE w.ns END AS wall_ns, w.text_ns AS text_wall_ns, s.text AS settings
FROM (SELECT ns, (ns + 125) / 1000 * 1000 + pick((ns + 125) / 250 & 3, 0, 200, 500, 800) AS text_ns
  FROM (SELECT (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'wall_offset_ns') AS ns)) w LEFT JOIN temp.framework_setting s ON s.name <> 'profiler_metadata.json';

-- Counts of the host become ns with a double, as the reference computes them; without counts they are ns of the monotonic clock.
CREATE TEMP TABLE host_count AS
WITH log AS (
  SELECT max(text) AS text FROM control WHERE name = 'host_start.log' AND device_id IS NULL
), info AS (
  SELECT max(text) AS text FROM control WHERE name = 'info.json' AND device_id IS NULL
), start_info AS (
  SELECT text FROM control WHERE name = 'start_info' ORDER BY device_id IS NOT NULL, device_id LIMIT 1
), logged AS (
  SELECT text IS NOT NULL AS there, CAST(trim(substr(text, instr(text, 'clock_monotonic_raw:') + 20)) AS INTEGER) AS raw,
    CAST(trim(substr(text, instr(text, 'cntvct:') + 7)) AS INTEGER) AS count FROM log
), begun AS (
  SELECT CAST(json_extract(text, '$.collectionTimeBegin') AS INTEGER) * 1000 - CAST(json_extract(text, '$.clockMonotonicRaw') AS INTEGER) AS ns FROM start_info
)
SELECT p.counts, CASE WHEN l.there THEN l.count ELSE coalesce(json_extract(p.settings, '$.start_info.start_cnt'), 0) END AS first,
  1000.0 / CASE WHEN i.text IS NULL THEN coalesce(json_extract(p.settings, '$.start_info.freq'), 100.0)
    ELSE coalesce(nullif(CAST(json_extract(i.text, '$.CPU[0].Frequency') AS REAL), 0), 100.0) END AS ratio,
  CASE WHEN NOT p.counts THEN 0 WHEN l.there THEN l.raw ELSE coalesce(json_extract(p.settings, '$.start_info.start_monotonic'), 0) END +
  coalesce(nullif(CASE WHEN p.has_npu THEN (SELECT ns FROM begun) END, 0),
    CAST(json_extract(p.settings, '$.end_info.collectionTimeEnd') AS INTEGER) - CAST(json_extract(p.settings, '$.end_info.MonotonicTimeEnd') AS INTEGER), 0) AS ns
FROM temp.profile p CROSS JOIN info i CROSS JOIN logged l;

-- Operators of all threads, in the order of their starts, and how they lie within each other.
CREATE TEMP TABLE op(id INTEGER PRIMARY KEY, record INTEGER, start_ns INTEGER, end_ns INTEGER, pid INTEGER, thread_id INTEGER, name INTEGER, parent INTEGER, inner_ns INTEGER,
  sequence INTEGER, forward_thread INTEGER, types INTEGER, shapes INTEGER, stack INTEGER, last INTEGER, since INTEGER, until INTEGER, depth INTEGER, is_own INTEGER);
CREATE VIRTUAL TABLE temp.nested USING nesting(
  SELECT CASE WHEN c.counts THEN CAST((t.start_count - c.first) * c.ratio AS INTEGER) ELSE t.start_count END + c.ns AS start_ns,
    CASE WHEN c.counts THEN CAST((t.end_count - c.first) * c.ratio AS INTEGER) ELSE t.end_count END + c.ns, t.rowid
  FROM temp.host_count c CROSS JOIN temp.torch_op t WHERE (SELECT has_cpu FROM temp.profile) ORDER BY start_ns, t.rowid);
INSERT INTO temp.op
SELECT n.id, n.record, CASE WHEN c.counts THEN CAST((t.start_count - c.first) * c.ratio AS INTEGER) ELSE t.start_count END + c.ns,
  CASE WHEN c.counts THEN CAST((t.end_count - c.first) * c.ratio AS INTEGER) ELSE t.end_count END + c.ns, t.pid, t.thread_id, coalesce(t.name, 0), n.parent, n."inner",
  t.sequence, t.forward_thread, t.types, t.shapes, t.stack, n.last, n.since, n.until, n.depth,
  coalesce(t.name, 0) NOT IN (SELECT id FROM temp.framework_text WHERE owner = 'torch_op' AND text IN ('empty_tensor', 'malloc_workspace'))
FROM temp.host_count c CROSS JOIN temp.nested n CROSS JOIN temp.torch_op t ON t.rowid = n.record;
DROP TABLE temp.nested;
-- Names of steps; what texts look like in files.
CREATE TEMP TABLE step_name(id INTEGER PRIMARY KEY, step TEXT);
INSERT INTO temp.step_name
SELECT id, substr(text, length(rtrim(text, replace(text, '#', ''))) + 1) FROM temp.framework_text WHERE owner = 'torch_op' AND member = 'name' AND instr(text, 'ProfilerStep#');
CREATE TEMP TABLE trace_text(id INTEGER PRIMARY KEY, text TEXT);
INSERT INTO temp.trace_text
SELECT id, replace(text, ';', ';' || char(13, 10)) FROM temp.framework_text WHERE owner = 'torch_op' AND member <> 'name';
CREATE TEMP TABLE cell_text(id INTEGER PRIMARY KEY, text TEXT);
INSERT INTO temp.cell_text SELECT id, replace(text, ';', ';' || char(30)) FROM temp.framework_text WHERE owner = 'torch_op' AND member IN ('shapes', 'stack');

-- What was put into the queue of launches (0), and taken out (1): an end belongs to the start of its name and thread just before it.
CREATE TEMP TABLE queued(id INTEGER PRIMARY KEY, taken INTEGER, start_ns INTEGER, end_ns INTEGER, correlation_id INTEGER, pid INTEGER, thread_id INTEGER, name INTEGER);
CREATE VIRTUAL TABLE temp.paired USING start_end_pairs(
  SELECT m.rowid, m.category & 1, m.category >> 1, m.thread_id, m.name FROM temp.host_count c CROSS JOIN temp.op_mark m WHERE m.category BETWEEN 0 AND 3
  ORDER BY CASE WHEN c.counts THEN CAST((m.count - c.first) * c.ratio AS INTEGER) ELSE m.count END, m.rowid);
INSERT INTO temp.queued(taken, start_ns, end_ns, correlation_id, pid, thread_id, name)
SELECT p.device_id, CASE WHEN c.counts THEN CAST((s.count - c.first) * c.ratio AS INTEGER) ELSE s.count END + c.ns,
  CASE WHEN c.counts THEN CAST((e.count - c.first) * c.ratio AS INTEGER) ELSE e.count END + c.ns, e.correlation_id, e.pid, e.thread_id, coalesce(e.name, 0)
FROM temp.host_count c CROSS JOIN temp.paired p CROSS JOIN temp.op_mark s ON s.rowid = p.start_row CROSS JOIN temp.op_mark e ON e.rowid = p.end_row ORDER BY p.device_id, p.rowid;
DROP TABLE temp.paired;
CREATE INDEX temp.queued_by_end ON queued(taken, end_ns, id);
CREATE INDEX temp.queued_by_number ON queued(taken, correlation_id);
CREATE INDEX temp.queued_by_thread ON queued(taken, thread_id, start_ns);

-- The launches of the job's tasks that the trace has an arrow for, each with its first task, in the order of the arrows. Only operators need them.
CREATE TEMP TABLE kernel(id INTEGER PRIMARY KEY, connection_id INTEGER UNIQUE, launch_ns INTEGER, start_ns INTEGER, dur_us REAL, is_core INTEGER,
  communicates INTEGER, device_id INTEGER, track INTEGER, key INTEGER);
-- @when EXISTS (SELECT 1 FROM temp.op)
CREATE TEMP VIEW arrow_end AS
SELECT 0 AS layer, id, connection_id, start_ns, dur_ns, CASE WHEN node_type IS NOT NULL THEN word('node_kind', 'name', node_type)
    ELSE coalesce(word('host_kind', 'name', host_type), word('name', 'name', host_type)) END AS type, device_id, stream_id AS track
FROM task WHERE is_op AND has_parts IS NULL AND connection_id IS NOT NULL AND start_ns IS NOT NULL
UNION ALL
SELECT 1, t.id, t.connection_id, t.start_ns, t.dur_ns, NULL, t.device_id, t.stream_id FROM arrow a CROSS JOIN task t ON t.id = a.id WHERE t.start_ns IS NOT NULL AND t.connection_id IS NOT NULL
UNION ALL
SELECT 2, o.id, o.connection_id, o.start_ns, o.end_ns - o.start_ns, NULL, o.device_id, g.track
FROM comm_op o CROSS JOIN comm_track g ON g.device_id = o.device_id AND g.step_group IS o.group_name AND g.on_aicpu = o.on_aicpu WHERE o.start_ns IS NOT NULL;
INSERT OR IGNORE INTO temp.kernel(connection_id, launch_ns, start_ns, dur_us, is_core, communicates, device_id, track)
SELECT e.connection_id, a.start_ns + p.wall_ns, e.start_ns + p.wall_ns, CASE WHEN k.ns AND e.layer < 2 THEN round(e.dur_ns / k.ns) * k.ns ELSE e.dur_ns END / 1000.0,
  e.type IS 'AI_CORE', e.layer = 2, e.device_id, e.track
FROM temp.profile p CROSS JOIN (SELECT max(tick_ns) AS ns FROM odd_clock) k CROSS JOIN temp.arrow_end e CROSS JOIN api a ON a.connection_id = e.connection_id
WHERE (a.level = 10000 OR a.connection_id IN (SELECT connection_id FROM arrow_call)) AND NOT p.old_trace;
DROP VIEW temp.arrow_end;
-- In traces of the older style arrows come from the launch of each operator, and from the call of each copy.
INSERT INTO temp.kernel(connection_id, launch_ns, start_ns, dur_us, is_core, communicates, device_id, track)
SELECT t.id, t.launch_ns + p.wall_ns, t.start_ns + p.wall_ns, CASE WHEN k.ns THEN round(t.dur_ns / k.ns) * k.ns ELSE t.dur_ns END / 1000.0,
  CASE WHEN t.node_type IS NOT NULL THEN word('node_kind', 'name', t.node_type) ELSE coalesce(word('host_kind', 'name', t.host_type), word('name', 'name', t.host_type)) END IS 'AI_CORE',
  0, t.device_id, t.stream_id
FROM temp.profile p CROSS JOIN (SELECT max(tick_ns) AS ns FROM odd_clock) k CROSS JOIN task t
WHERE p.old_trace AND t.is_op AND t.has_parts IS NULL AND t.start_ns IS NOT NULL AND t.launch_ns IS NOT NULL ORDER BY t.id;
INSERT INTO temp.kernel(connection_id, launch_ns, start_ns, dur_us, is_core, communicates, device_id, track)
SELECT -t.id, a.start_ns + p.wall_ns, t.start_ns + p.wall_ns, CASE WHEN k.ns THEN round(t.dur_ns / k.ns) * k.ns ELSE t.dur_ns END / 1000.0, 0, 0, t.device_id, t.stream_id
FROM temp.profile p CROSS JOIN (SELECT max(tick_ns) AS ns FROM odd_clock) k CROSS JOIN task_copy c CROSS JOIN task t ON t.id = c.id CROSS JOIN api a ON a.connection_id = t.connection_id
WHERE p.old_trace AND t.is_op IS NULL AND t.start_ns IS NOT NULL ORDER BY t.id;

-- What asked for a launch: the number of what was taken out of the queue around it; where nothing was taken, its time.
UPDATE temp.kernel SET key = launch_ns WHERE NOT EXISTS (SELECT 1 FROM temp.queued WHERE taken);
UPDATE temp.kernel SET key = (SELECT CASE WHEN start_ns <= kernel.launch_ns THEN correlation_id END FROM temp.queued q
  WHERE q.taken = 1 AND q.end_ns >= kernel.launch_ns ORDER BY q.end_ns, q.id LIMIT 1) WHERE EXISTS (SELECT 1 FROM temp.queued WHERE taken);
CREATE INDEX temp.kernel_by_key ON kernel(key, launch_ns, id);
-- @end

-- The operators that asked: the innermost one of the thread that put it into the queue; without a queue the innermost around the launch.
CREATE TEMP TABLE asked(place INTEGER PRIMARY KEY, op_id INTEGER, key INTEGER);
-- @when (SELECT has_queue FROM temp.profile)
CREATE VIRTUAL TABLE temp.around USING intervals(SELECT 0, start_ns, end_ns, id FROM temp.op ORDER BY id);
INSERT INTO temp.asked(op_id, key)
SELECT o.id, q.correlation_id FROM (SELECT * FROM temp.queued WHERE taken = 0 ORDER BY start_ns, id) q CROSS JOIN temp.around i ON i.key = 0 AND i.at = q.start_ns
CROSS JOIN temp.op o ON o.id = i.value AND o.thread_id = q.thread_id ORDER BY q.start_ns, q.id;
DROP TABLE temp.around;
-- @end
-- @when NOT (SELECT has_queue FROM temp.profile)
CREATE VIRTUAL TABLE temp.around USING intervals(SELECT 0, since, until - 1, id FROM temp.op ORDER BY id);
INSERT INTO temp.asked(op_id, key)
SELECT i.value, k.key FROM (SELECT key, min(id) AS first FROM temp.kernel GROUP BY key) k CROSS JOIN temp.around i ON i.key = 0 AND i.at = k.key ORDER BY k.first;
DROP TABLE temp.around;
-- @end
CREATE INDEX temp.asked_by_op ON asked(op_id, place);
-- What operators launched took, in the order of the launches: their own, and with those of all operators within them; of these that of cores.
CREATE TEMP TABLE took(id INTEGER PRIMARY KEY, own INTEGER, whole INTEGER, own_core INTEGER, whole_core INTEGER);
CREATE VIRTUAL TABLE temp.took_rule USING nested_sums((SELECT parent FROM temp.op ORDER BY id),
  (SELECT a.op_id, bits_of(k.dur_us), k.is_core FROM temp.asked a CROSS JOIN temp.kernel k ON k.key = a.key ORDER BY a.place, k.launch_ns, k.id));
INSERT INTO temp.took SELECT * FROM temp.took_rule;
DROP TABLE temp.took_rule;

-- The first 4096 steps that the program marked, on the device, each looked at for each task: from the first task of the first launch in a step to the last one of its last launch.
CREATE TEMP TABLE step_range(id INTEGER PRIMARY KEY, step TEXT, start_ns INTEGER, end_ns INTEGER, marked_ns INTEGER);
INSERT INTO temp.step_range
WITH marked AS MATERIALIZED (
  SELECT o.id, o.last, o.start_ns, o.end_ns, s.step
  FROM temp.op o CROSS JOIN temp.step_name s ON s.id = o.name WHERE o.parent = 0 AND EXISTS (SELECT 1 FROM temp.kernel WHERE key IS NOT NULL)
  ORDER BY o.id LIMIT 4096
), asking AS (
  SELECT m.id, a.key FROM marked m CROSS JOIN temp.asked a ON a.op_id BETWEEN m.id AND m.last WHERE (SELECT has_queue FROM temp.profile)
  UNION ALL
  SELECT m.id, k.key FROM (SELECT DISTINCT key, (SELECT id FROM marked WHERE end_ns >= key ORDER BY id LIMIT 1) AS first FROM temp.kernel) k
  CROSS JOIN marked m ON m.id = k.first AND m.start_ns <= k.key WHERE NOT (SELECT has_queue FROM temp.profile)
), edge AS (
  SELECT a.id, min(k.key) AS first, max(k.key) AS last FROM asking a LEFT JOIN temp.kernel k ON k.key = a.key GROUP BY a.id
)
SELECT m.id, m.step, coalesce((SELECT min(start_ns) FROM temp.kernel WHERE key = e.first), m.start_ns),
  max(coalesce((SELECT max(start_ns + CAST(dur_us * 1000 AS INTEGER)) FROM temp.kernel WHERE key = e.last), -1), m.end_ns), m.start_ns
FROM marked m CROSS JOIN edge e ON e.id = m.id ORDER BY m.id;

-- The step of each operator of the job.
CREATE TEMP TABLE kernel_step(id INTEGER PRIMARY KEY, step TEXT);
-- @when EXISTS (SELECT 1 FROM temp.step_range)
INSERT INTO temp.kernel_step
SELECT t.id, (SELECT step FROM temp.step_range r WHERE t.start_ns + p.wall_ns >= r.start_ns AND t.start_ns + p.wall_ns < r.end_ns ORDER BY r.id LIMIT 1)
FROM task t CROSS JOIN temp.profile p WHERE t.is_op = 1 AND t.start_ns IS NOT NULL;
-- @end

-- Calls of Python functions: a call ends with the return at its depth; one without a return with the last event of its thread.
CREATE TEMP TABLE python_event(id INTEGER PRIMARY KEY, pid INTEGER, thread_id INTEGER, number INTEGER, parent INTEGER, module INTEGER, start_ns INTEGER, end_ns INTEGER, name TEXT);
-- @when EXISTS (SELECT 1 FROM temp.python_call) AND EXISTS (SELECT 1 FROM temp.python_name) AND (SELECT has_cpu FROM temp.profile)
CREATE TEMP TABLE python_thread(thread_id INTEGER PRIMARY KEY, seen INTEGER, first INTEGER, last_ns INTEGER);
INSERT INTO temp.python_thread(thread_id, seen) SELECT thread_id, min(rowid) FROM temp.python_call GROUP BY thread_id;
CREATE TEMP TABLE python_step(id INTEGER PRIMARY KEY, thread_id INTEGER, pid INTEGER, ns INTEGER, function INTEGER, tag INTEGER);
INSERT INTO temp.python_step(thread_id, pid, ns, function, tag)
SELECT p.thread_id, p.pid, CASE WHEN c.counts THEN CAST((p.count - c.first) * c.ratio AS INTEGER) ELSE p.count END + c.ns AS ns, p.function, p.tag
FROM temp.host_count c CROSS JOIN temp.python_call p CROSS JOIN temp.python_thread t ON t.thread_id = p.thread_id ORDER BY t.seen, ns, p.rowid;
UPDATE temp.python_thread SET first = s.first, last_ns = s.last_ns
FROM (SELECT thread_id, min(id) AS first, max(ns) AS last_ns FROM temp.python_step GROUP BY thread_id) s WHERE s.thread_id = python_thread.thread_id;
CREATE TEMP TABLE python_word AS SELECT function, coalesce(name, '') AS name FROM temp.python_name WHERE rowid IN (SELECT max(rowid) FROM temp.python_name GROUP BY function);
CREATE INDEX temp.python_word_by_function ON python_word(function);
CREATE TEMP TABLE python_module AS
WITH named AS (
  SELECT l.thread_id, l.id AS number, substr(w.name, 1, instr(w.name, '######') - 1) AS name, substr(w.name, instr(w.name, '######') + 6) AS word
  FROM temp.python_step l CROSS JOIN temp.python_word w ON w.function = l.function WHERE l.tag = 0 AND instr(w.name, '######')
), first AS (
  SELECT thread_id, word, name, min(number) AS number FROM named GROUP BY thread_id, word
)
SELECT thread_id, word, row_number() OVER (PARTITION BY thread_id, name ORDER BY number) - 1 AS module FROM first;
CREATE INDEX temp.python_module_by_word ON python_module(word, thread_id);
CREATE VIRTUAL TABLE temp.python_stack USING call_stacks(
  SELECT thread_id, CASE WHEN tag IN (0, 2) THEN 1 WHEN tag IN (1, 3) THEN -1 ELSE 0 END FROM temp.python_step ORDER BY id);
INSERT INTO temp.python_event(pid, thread_id, number, parent, module, start_ns, end_ns, name)
WITH named AS (
  SELECT k.rowid AS place, k.parent, s.*, e.ns AS return_ns, coalesce(w.name, printf('%u', s.function)) AS name, CASE WHEN s.tag = 0 THEN instr(coalesce(w.name, ''), '######') ELSE 0 END AS cut
  FROM temp.python_stack k CROSS JOIN temp.python_step s ON s.id = k.id LEFT JOIN temp.python_step e ON e.id = k.until LEFT JOIN temp.python_word w ON w.function = s.function
)
SELECT n.pid, n.thread_id, n.id - t.first, CASE WHEN n.parent THEN n.parent - t.first ELSE 0 END, m.module, n.ns, coalesce(n.return_ns, t.last_ns),
  CASE WHEN n.cut THEN 'nn.Module: ' || substr(n.name, 1, n.cut - 1) || '_' || m.module ELSE n.name END
FROM named n CROSS JOIN temp.python_thread t ON t.thread_id = n.thread_id LEFT JOIN temp.python_module m ON n.cut AND m.word = substr(n.name, n.cut + 6) AND m.thread_id = n.thread_id
ORDER BY n.place;
DROP TABLE temp.python_stack;
-- @end

-- The tables of PROF directories that become files of the profile, by its level and settings.
CREATE TEMP TABLE copied AS
SELECT column1 || '_{time}' AS file, column2 AS name
FROM temp.profile p CROSS JOIN (VALUES ('op_statistic', 'op_statistic', 2), ('api_statistic', 'api_statistic', 2), ('task_time', 'task_time', 1), ('aicpu', 'data_preprocess', 3),
  ('l2_cache', 'l2_cache', 4), ('soc_pmu', 'soc_pmu', 4), ('{_what}', '{_what}', 5), ('pcie', 'pcie', 6), ('hccs', 'hccs', 6))
WHERE CASE column3 WHEN 4 THEN l2_cache WHEN 5 THEN sys_io WHEN 6 THEN interconnection
  ELSE column3 <= CASE level WHEN 'Level0' THEN 1 WHEN 'Level1' THEN 2 WHEN 'Level2' THEN 3 ELSE 0 END END;

-- What the allocators of torch_npu did on devices, in the order of time.
CREATE TEMP TABLE allocation(id INTEGER PRIMARY KEY, time_ns INTEGER, pointer INTEGER, size INTEGER, allocated INTEGER, reserved INTEGER, active INTEGER, stream INTEGER,
  device_index INTEGER, component INTEGER, kind INTEGER, allocator INTEGER, thread_id INTEGER, pid INTEGER);
-- @when EXISTS (SELECT 1 FROM temp.memory_use WHERE device_type = 20)
INSERT INTO temp.allocation(time_ns, pointer, size, allocated, reserved, active, stream, device_index, component, kind, allocator, thread_id, pid)
SELECT CASE WHEN c.counts THEN CAST((m.count - c.first) * c.ratio AS INTEGER) ELSE m.count END + c.ns AS time_ns,
  pointer, size, allocated, reserved, active, stream, device_index, component, kind, allocator, thread_id, pid
FROM temp.host_count c CROSS JOIN temp.memory_use m WHERE m.device_type = 20 ORDER BY time_ns, m.rowid;
-- @end

CREATE TEMP TABLE op_process(pid INTEGER PRIMARY KEY);
INSERT OR IGNORE INTO temp.op_process SELECT pid FROM temp.op;
-- Blocks of memory: an allocation with the releases of its pointer behind it, one of each kind. Only the first process with operators has names.
CREATE TEMP TABLE block(id INTEGER PRIMARY KEY, allocated_id INTEGER, released_id INTEGER, freed_id INTEGER, op_id INTEGER, name INTEGER);
INSERT INTO temp.block(allocated_id, released_id, freed_id)
WITH inner_use AS (
  SELECT id, kind, pointer FROM temp.allocation
  WHERE allocator = 0 AND pid = (SELECT pid FROM temp.allocation WHERE allocator = 0 AND pid IN temp.op_process ORDER BY id LIMIT 1)
), follow AS (
  SELECT id, kind, lead(id) OVER w AS second, lead(kind) OVER w AS second_kind, lead(id, 2) OVER w AS third, lead(kind, 2) OVER w AS third_kind
  FROM inner_use WINDOW w AS (PARTITION BY pointer ORDER BY id)
), whole AS (
  SELECT id, CASE WHEN second_kind THEN second END AS second, second_kind, CASE WHEN second_kind AND third_kind AND third_kind <> second_kind THEN third END AS third
  FROM follow WHERE kind = 0
)
SELECT id, CASE WHEN second_kind = 1 THEN second ELSE third END, CASE WHEN second_kind = 1 THEN third WHEN second_kind = 2 THEN second END FROM whole ORDER BY id;

-- The operator of a block: the last one of its thread that began before. Within the work of the queue it is that of who asked for the work.
-- @when EXISTS (SELECT 1 FROM temp.block)
CREATE INDEX temp.op_by_thread ON op(pid, thread_id, start_ns, id) WHERE is_own;
CREATE TEMP TABLE block_asked(id INTEGER PRIMARY KEY, pid INTEGER, is_call INTEGER, thread_id INTEGER, time_ns INTEGER);
INSERT INTO temp.block_asked
WITH used AS (
  SELECT b.id, a.time_ns, a.pid, a.thread_id FROM temp.block b CROSS JOIN temp.allocation a ON a.id = b.allocated_id
), taken AS (
  SELECT u.*, (SELECT id FROM temp.queued q WHERE q.taken = 1 AND q.thread_id = u.thread_id AND q.start_ns <= u.time_ns ORDER BY q.start_ns DESC, q.id DESC LIMIT 1) AS last
  FROM used u
), asker AS (
  SELECT t.id, t.pid, t.thread_id, t.time_ns, q.id AS call, (SELECT max(p.id) FROM temp.queued p WHERE p.taken = 0 AND p.correlation_id = q.correlation_id) AS put
  FROM taken t LEFT JOIN temp.queued q ON q.id = t.last AND q.end_ns > t.time_ns AND q.pid = t.pid
)
SELECT a.id, a.pid, a.call IS NOT NULL AS is_call, CASE WHEN a.call IS NULL THEN a.thread_id ELSE p.thread_id END AS thread_id,
  CASE WHEN a.call IS NULL THEN a.time_ns ELSE max(p.end_ns) OVER (PARTITION BY a.call IS NULL, p.thread_id ORDER BY a.id) END AS time_ns
FROM asker a LEFT JOIN temp.queued p ON p.id = a.put ORDER BY a.id;
UPDATE temp.block SET op_id = (
  SELECT o.id FROM temp.block_asked a CROSS JOIN temp.op o ON o.thread_id = a.thread_id AND o.start_ns <= a.time_ns
  WHERE a.id = block.id AND o.pid = a.pid AND o.is_own ORDER BY o.start_ns DESC, o.id DESC LIMIT 1);
CREATE TEMP TABLE caller(id INTEGER PRIMARY KEY);
INSERT INTO temp.caller SELECT id FROM temp.framework_text WHERE owner = 'torch_op' AND member = 'name' AND (text GLOB 'aten*' OR text GLOB 'npu*');
UPDATE temp.block SET name = (
  WITH RECURSIVE up(id, name, is_call, time_ns, is_found) AS (
    SELECT o.id, o.name, a.is_call, a.time_ns, CASE WHEN a.is_call THEN o.name IN temp.caller ELSE o.end_ns >= a.time_ns END
    FROM temp.block_asked a CROSS JOIN temp.op o WHERE a.id = block.id AND o.id = block.op_id
    UNION ALL
    SELECT o.id, o.name, u.is_call, u.time_ns, CASE WHEN u.is_call THEN o.name IN temp.caller ELSE o.end_ns >= u.time_ns END
    FROM up u CROSS JOIN temp.op n ON n.id = u.id CROSS JOIN temp.op o ON o.id = n.parent WHERE NOT u.is_found
  )
  SELECT name FROM up WHERE is_found);
-- @end

-- What is allocated in all, by torch_npu and by the graph engine, in the order of time; the latter is told with a time as a double of microseconds.
CREATE TEMP TABLE allocated(place INTEGER PRIMARY KEY, is_ge INTEGER, time_ns INTEGER, allocated REAL, reserved REAL, active REAL, stream INTEGER, is_workspace INTEGER, device INTEGER);
-- @when EXISTS (SELECT 1 FROM temp.allocation)
INSERT INTO temp.allocated(is_ge, time_ns, allocated, reserved, active, stream, is_workspace, device)
SELECT 0, a.time_ns, a.allocated / 1048576.0, a.reserved / 1048576.0, a.active / 1048576.0, a.stream, a.component = 1, CASE d.count WHEN 1 THEN d.only ELSE a.device_index END
FROM (SELECT count(*) AS count, max(device_id) AS only FROM device) d CROSS JOIN temp.allocation a ORDER BY a.id;
-- @end
-- @when EXISTS (SELECT 1 FROM op_memory) AND (SELECT has_npu FROM temp.profile)
CREATE TEMP TABLE alone AS SELECT * FROM temp.allocated;
DELETE FROM temp.allocated;
INSERT INTO temp.allocated(is_ge, time_ns, allocated, reserved, active, stream, is_workspace, device)
SELECT is_ge, time_ns, allocated, reserved, active, stream, is_workspace, device FROM (
  SELECT * FROM temp.alone UNION ALL
  SELECT row_number() OVER (), 1, m.time_ns + p.text_wall_ns, rounded(total_allocated / 1024.0, 3) / 1024.0,
    rounded(total_reserved / 1024.0, 3) / 1024.0, 0, NULL, 0, m.device_id
  FROM temp.profile p LEFT JOIN device d CROSS JOIN task_memory_info m
) ORDER BY time_ns, is_ge, place;
CREATE INDEX temp.allocated_by_device ON allocated(device, is_ge, is_workspace, place);
-- @end

-- Steps for collectives, of the files at first; with one, all collectives are in it. Which collectives are in which step, by their start.
CREATE TEMP TABLE collective_range(id INTEGER PRIMARY KEY, step TEXT, start_ns INTEGER, end_ns INTEGER);
INSERT INTO temp.collective_range SELECT id, step, start_ns, end_ns FROM temp.step_range;
INSERT INTO temp.collective_range SELECT 0, NULL, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM temp.step_range);
UPDATE temp.collective_range SET start_ns = 0, end_ns = 9223372036854775807 WHERE (SELECT count(*) FROM temp.collective_range) = 1;
CREATE TEMP VIEW collective_step AS
WITH begun AS MATERIALIZED (
  SELECT place, key, json, CAST(substr(us, 1, instr(us, '.') - 1) || substr(substr(us, instr(us, '.') + 1) || '00', 1, 3) AS INTEGER) AS start_ns
  FROM (SELECT rowid AS place, key, json, repr(json_extract(json, '$."Communication Time Info"."Start Timestamp(us)"') * 1.0) AS us FROM temp.communication)
)
SELECT place, key, json, CASE WHEN lower(key) GLOB 'hcom_send*' OR lower(key) GLOB 'hcom_receive*' OR lower(key) GLOB 'hcom_batchsendrecv*' THEN 'p2p'
    WHEN lower(key) GLOB 'total*' THEN NULL ELSE 'collective' END AS kind,
  (SELECT id FROM temp.collective_range r WHERE b.start_ns BETWEEN r.start_ns AND r.end_ns ORDER BY id LIMIT 1) AS id
FROM begun b;

-- Links of collectives by their step, which is -1 where none has collectives. Of those of a type, group and link there is the best one, some of the others, and a sum.
CREATE TEMP VIEW matrix_step AS
WITH placed AS MATERIALIZED (
  SELECT key, id FROM temp.collective_step WHERE id IS NOT NULL
)
SELECT m.rowid AS place, m.key, m.json, CASE WHEN EXISTS (SELECT 1 FROM placed) THEN p.id ELSE -1 END AS id
FROM temp.communication_matrix m LEFT JOIN placed p ON p.key = m.key WHERE p.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM placed);
CREATE TEMP VIEW matrix_entry AS
WITH matrix AS MATERIALIZED (
  SELECT *, lower(key) AS low, CASE WHEN instr(key, '@') THEN substr(key, 1, instr(key, '@') - 1) ELSE key END AS op FROM temp.matrix_step WHERE lower(key) NOT GLOB 'total*'
), word AS (
  SELECT m.place, w.column2 AS word, row_number() OVER (PARTITION BY m.place ORDER BY instr(m.low, w.column2), w.column1) AS n
  FROM matrix m CROSS JOIN (VALUES (1, 'send'), (2, 'reduce'), (3, 'invalid'), (4, 'broadcast'), (5, 'allreduce'), (6, 'receive'), (7, 'allgather'), (8, 'reducescatter'),
    (9, 'scatter'), (10, 'alltoall'), (11, 'batchsendrecv')) w WHERE instr(m.low, w.column2)
), first_word AS MATERIALIZED (
  SELECT place, word FROM word WHERE n = 1
), named AS (
  SELECT m.*, CASE WHEN low GLOB 'hcom_send*' OR low GLOB 'hcom_receive*' OR low GLOB 'hcom_batchsendrecv*' THEN 'p2p' ELSE 'collective' END AS kind,
    coalesce(w.word, CASE WHEN instr(key, '__') THEN substr(key, 1, instr(key, '__') - 1) ELSE key END) AS type, substr(key, length(rtrim(key, replace(key, '@', ''))) + 1) AS step_group
  FROM matrix m LEFT JOIN first_word w ON w.place = m.place
), link AS MATERIALIZED (
  SELECT n.id, n.kind, n.type, n.step_group, l.key AS link, n.place << 16 | l.id AS at, substr(l.value, 1, length(l.value) - 1) || ', "Op Name": ' || json_quote(n.op) || '}' AS json,
    json_extract(l.value, '$."Bandwidth(GB/s)"') AS rate, json_extract(l.value, '$."Transit Size(MB)"') AS mb, json_extract(l.value, '$."Transit Time(ms)"') AS ms,
    json_extract(l.value, '$."Transport Type"') AS transport
  FROM named n CROSS JOIN json_each(n.json) l
), ranked AS MATERIALIZED (
  SELECT *, row_number() OVER w AS n, count(*) OVER g AS count, min(at) OVER g AS first
  FROM link WINDOW g AS (PARTITION BY id, kind, type, step_group, link), w AS (PARTITION BY id, kind, type, step_group, link ORDER BY rate DESC, at) ORDER BY id, kind, first, n
), total AS (
  SELECT id, kind, type, step_group, link, first, max(transport) FILTER (WHERE n = 1) AS transport, max(typeof(mb) = 'real') AS real_size, max(typeof(ms) = 'real') AS real_time,
    float_sum(mb) AS mb, float_sum(ms) AS ms
  FROM ranked GROUP BY id, kind, first
)
SELECT id, kind, type, '-' || e.column1 AS part, step_group, first, e.column2 AS slot, link, json
FROM ranked CROSS JOIN (VALUES ('top1', 0), ('middle', 1), ('bottom1', 2), ('bottom2', 4), ('bottom3', 5)) e
WHERE n = CASE e.column2 WHEN 0 THEN 1 WHEN 1 THEN count / 2 + 1 WHEN 2 THEN count WHEN 4 THEN count - 1 ELSE count - 2 END
UNION ALL
SELECT id, kind, type, '-total', step_group, first, 3, link,
  '{"Transport Type": ' || json_quote(transport) || ', "Transit Size(MB)": ' || CASE WHEN real_size THEN repr(mb) ELSE CAST(mb AS INTEGER) END ||
  ', "Transit Time(ms)": ' || CASE WHEN real_time THEN repr(ms) ELSE CAST(ms AS INTEGER) END ||
  ', "Bandwidth(GB/s)": ' || CASE WHEN abs(ms) < 1e-15 THEN '0' ELSE repr(rounded(mb / ms, 4)) END || '}' FROM total;

-- What the job has and no file gets.
INSERT INTO temp.framework_loss SELECT 'torch.op_range', count(*) || ' operators lie too deep: they are told with those 256 levels deep' FROM temp.op WHERE depth > 256 HAVING count(*);
INSERT INTO temp.framework_loss SELECT 'torch.op_range', count(*) || ' steps: the first 4096 are told' FROM temp.op WHERE parent = 0 AND name IN (SELECT id FROM temp.step_name) HAVING count(*) > 4096;
INSERT INTO temp.framework_loss SELECT 'torch.op_range', 'records of ' || count(*) || ' processes: memory has the names of one' FROM temp.op_process HAVING count(*) > 1;
INSERT INTO temp.framework_loss SELECT 'torch.op_mark', count(*) || ' records of an unknown kind' FROM temp.op_mark WHERE category NOT BETWEEN 0 AND 3 HAVING count(*);
INSERT INTO temp.framework_loss SELECT name, 'not used: the settings say that the processor was not profiled' FROM temp.framework_file WHERE NOT (SELECT has_cpu FROM temp.profile);
