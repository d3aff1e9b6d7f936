-- What must be true of an SS928 job whatever its model is. sql/checks.sql says what follows. No check reads all rows of a large table.
-- What was found is of the first file: SQLite takes columns without an aggregate from the row of the only min().

INSERT INTO standing(about, place, what)
SELECT 'tasks', 1, 'times of tasks' WHERE EXISTS (SELECT 1 FROM aicore_task)
UNION ALL SELECT 'counters', 2, 'counters' WHERE EXISTS (SELECT 1 FROM aicore_task)
UNION ALL SELECT 'cpu', 3, 'AI CPU' WHERE EXISTS (SELECT 1 FROM aicpu_task)
UNION ALL SELECT 'calls', 4, 'calls' WHERE EXISTS (SELECT 1 FROM api_call)
UNION ALL SELECT 'names', 5, 'names of tasks' WHERE EXISTS (SELECT 1 FROM aicore_task) AND EXISTS (SELECT 1 FROM layer);

CREATE TEMP TABLE kind_of(target, about);
INSERT INTO kind_of VALUES ('aicore_task', 'tasks'), ('aicpu_task', 'cpu'), ('api_call', 'calls');

-- What the rules of layouts say. A few records with numbers that cannot be are damage, which a note tells. Their `assumed` ones are about the places of counters.
INSERT INTO data_check
SELECT layout || ' ' || name, CASE WHEN assumed THEN 'counters' ELSE about END,
  CASE WHEN name = 'map' OR (name = 'range' AND broken <= records / 2) THEN 'doubt' ELSE 'contradiction' END, says, records,
  min(broken, records) * (name NOT IN ('order', 'range') OR broken * 100 > records), file, NULL
FROM layout_rule JOIN kind_of USING (target) WHERE (name IN ('holds', 'rises', 'order', 'map', 'agrees', 'range') OR (name = 'padding' AND broken > records / 2));

-- Inferences that are looked at: all of them, or about 1000 at equal distances.
CREATE TEMP TABLE looked AS
SELECT s.id, s.file, s.device_id, s.model, s.model_id, s.stream_id, s.net_id, s.input_pic_num, s.current_pic, s.has_done, s.first_row, s.last_row, a.start_ns, z.start_ns + z.dur_ns AS end_ns,
  s.record_bytes + s.blank_bytes + s.damaged_bytes AS bytes,
  (SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'file_len' AND typeof(m.value) = 'integer') AS told_bytes,
  1000 * (SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'start_time' AND typeof(m.value) = 'integer') AS told_start_ns,
  1000 * (SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'end_time' AND typeof(m.value) = 'integer') AS told_end_ns,
  coalesce((SELECT CAST(total(c.dur_ns) AS INTEGER) FROM source u CROSS JOIN aicpu_task c ON c.rowid BETWEEN u.first_row AND u.last_row
    WHERE u.target = 'aicpu_task' AND u.device_id = s.device_id AND u.model_id = s.model_id AND u.current_pic = s.current_pic AND u.model = s.model), 0) AS cpu_ns
FROM (SELECT *, row_number() OVER (ORDER BY id) - 1 AS number, count(*) OVER () / 1024 + 1 AS step FROM source
      WHERE target = 'aicore_task' AND state = 'raw' AND records > 0) s
CROSS JOIN aicore_task a ON a.rowid = s.first_row CROSS JOIN aicore_task z ON z.rowid = s.last_row
WHERE s.number % s.step = 0;

INSERT INTO data_check
SELECT 'marker_times', 'tasks', 'contradiction', 'a .done marker tells an end that is not before its start', count(*), count(*) FILTER (WHERE told_end_ns < told_start_ns),
  min(file) FILTER (WHERE told_end_ns < told_start_ns), 'its .done marker tells an end before the start'
FROM looked WHERE told_start_ns IS NOT NULL AND told_end_ns IS NOT NULL HAVING count(*);

INSERT INTO data_check
SELECT 'marker_bytes', 'tasks', 'doubt', 'a .done marker tells all bytes of its records', count(*), count(*) FILTER (WHERE bytes > told_bytes),
  min(file) FILTER (WHERE bytes > told_bytes), 'it has ' || bytes || ' bytes, its .done marker says ' || told_bytes
FROM looked WHERE told_bytes IS NOT NULL HAVING count(*);

-- The nets of an inference run one after the other, on the core or on the AI CPU. What is above its time by more than rounding is a wrong unit or a
-- wrong frequency, or other bytes. Starting an inference takes its time, too; where most of the time has no task, the unit may be another one.
CREATE TEMP TABLE filling AS
SELECT file, (end_ns - start_ns + cpu_ns) / 1000 AS took_us, (told_end_ns - told_start_ns) / 1000 AS told_us,
  end_ns - start_ns + cpu_ns > (told_end_ns - told_start_ns) * 1.01 + 2000 AS above,
  (end_ns - start_ns) * 2 + 20000 < told_end_ns - told_start_ns - cpu_ns AS below
FROM looked WHERE start_ns IS NOT NULL AND told_start_ns IS NOT NULL AND told_end_ns >= told_start_ns;

INSERT INTO data_check
SELECT 'window', 'tasks', 'doubt', 'the tasks of an inference take no longer than its .done marker says', count(*), count(*) FILTER (WHERE above), min(file) FILTER (WHERE above),
  'tasks take ' || took_us || ' us, their .done marker says ' || told_us || ' us'
FROM filling HAVING count(*);

INSERT INTO data_check
SELECT 'filled', 'tasks', 'doubt', 'the tasks of most inferences fill half of the time that its .done marker says', count(*),
  count(*) FILTER (WHERE below) * (count(*) FILTER (WHERE below) * 2 > count(*)), min(file) FILTER (WHERE below),
  'tasks take ' || took_us || ' us of the ' || told_us || ' us of their .done marker'
FROM filling HAVING count(*);
DROP TABLE filling;

INSERT INTO data_check
SELECT 'marker_fits', 'tasks', 'doubt', 'a .done marker beside an inference tells its bytes and times', count(*), count(*) FILTER (WHERE told_start_ns IS NULL OR told_bytes IS NULL),
  min(file) FILTER (WHERE told_start_ns IS NULL OR told_bytes IS NULL), 'its .done marker lacks its bytes or times'
FROM looked WHERE has_done HAVING count(*);

INSERT INTO data_check
SELECT 'picture_order', 'tasks', 'doubt', 'inferences of a model are in the order of their pictures', count(*), count(*) FILTER (WHERE start_ns < before_ns),
  min(file) FILTER (WHERE start_ns < before_ns), 'picture ' || current_pic || ' begins before an earlier one'
FROM (SELECT *, lag(start_ns) OVER (PARTITION BY device_id, model, model_id, stream_id ORDER BY current_pic) AS before_ns FROM looked) WHERE before_ns IS NOT NULL HAVING count(*);

-- Numbers of tasks, and of layers: a task of each net and number, and the layers of the model, where a file tells them. A layer without a record is
-- none that the core runs, and numbers without a layer are of tasks that nobody names. Both at once, or most layers without a task, is another numbering.
-- Of an inference 4096 tasks are looked at.
CREATE TEMP TABLE numbering AS
SELECT l.net_id, l.id, l.file, t.rowid AS row, t.ticks, t.task_id, t.seg_id, lag(t.task_id) OVER (PARTITION BY l.id ORDER BY t.rowid) AS before,
  min(t.task_id) OVER (PARTITION BY l.id) AS lowest,
  EXISTS (SELECT 1 FROM op o WHERE o.net_id = l.net_id AND o.task_id = t.task_id AND o.seg_id = t.seg_id) AS named
FROM (SELECT net_id, min(id) AS id, file, first_row, last_row FROM looked GROUP BY net_id) l
CROSS JOIN aicore_task t ON t.rowid BETWEEN l.first_row AND min(l.last_row, l.first_row + 4095);

INSERT INTO data_check
SELECT 'numbers_rise', 'tasks', 'doubt', 'the numbers of tasks rise, or begin again', count(*), count(*) FILTER (WHERE task_id < before AND task_id > lowest),
  min(file) FILTER (WHERE task_id < before AND task_id > lowest), 'task ' || task_id || ' stands behind task ' || before
FROM numbering WHERE before IS NOT NULL HAVING count(*);

INSERT INTO data_check
SELECT 'takes_time', 'tasks', 'doubt', 'most tasks take time', count(*), count(*) FILTER (WHERE ticks = 0) * (count(*) FILTER (WHERE ticks = 0) * 3 > count(*)), NULL,
  count(*) FILTER (WHERE ticks = 0) || ' of ' || count(*) || ' tasks take no time'
FROM numbering HAVING count(*);

INSERT INTO data_check
SELECT 'named', 'names', 'doubt', 'tasks have the numbers of layers', count(*), count(*) FILTER (WHERE (nameless > 0 AND idle > 0) OR idle * 2 > layers), NULL,
  max('model ' || model || ': ' || CASE nameless WHEN 0 THEN '' WHEN 1 THEN '1 task has no layer, ' ELSE nameless || ' tasks have no layer, ' END || idle || ' of ' || layers || ' layers have no task')
    FILTER (WHERE (nameless > 0 AND idle > 0) OR idle * 2 > layers)
FROM (SELECT n.model, (SELECT count(*) FROM numbering m WHERE m.net_id = n.id AND NOT m.named) AS nameless, count(*) AS layers,
        count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM numbering m WHERE m.net_id = o.net_id AND m.task_id = o.task_id AND m.seg_id IN (o.seg_id, 4294967295))) AS idle
      FROM net n JOIN op o ON o.net_id = n.id AND o.seg_id BETWEEN 0 AND 4294967294
      WHERE n.id IN (SELECT net_id FROM numbering GROUP BY net_id HAVING count(*) < 4096) AND EXISTS (SELECT 1 FROM layer y WHERE y.net_id = n.id) GROUP BY n.id) HAVING count(*);
DROP TABLE numbering;

-- The slowest and fastest clocks that such a core could have.
INSERT INTO data_check
SELECT 'frequency', 'tasks', 'contradiction', 'the core has a frequency of 100 to 2000 MHz', count(*), count(*) FILTER (WHERE frequency_mhz NOT BETWEEN 100 AND 2000),
  NULL, max('the core has ' || frequency_mhz || ' MHz, not 100 to 2000') FILTER (WHERE frequency_mhz NOT BETWEEN 100 AND 2000)
FROM device WHERE frequency_mhz IS NOT NULL AND EXISTS (SELECT 1 FROM aicore_task) HAVING count(*);

INSERT INTO data_check
SELECT 'frequency_known', 'tasks', 'doubt', 'the frequency of the core is known', count(*), count(*) - count(frequency_mhz), NULL,
  'no info.json.N tells the frequency: give --frequency MHZ'
FROM device WHERE EXISTS (SELECT 1 FROM aicore_task) HAVING count(*);

-- A marker of calls tells the first start, the last end, and the process. Calls stand in the order of their ends.
CREATE TEMP TABLE told_calls AS
SELECT s.id, s.file, s.first_row, s.last_row,
  1000 * (SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'start_time' AND typeof(m.value) = 'integer') AS start_ns,
  1000 * (SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'end_time' AND typeof(m.value) = 'integer') AS end_ns,
  (SELECT m.value FROM marker_value m WHERE m.source_id = s.id AND m.key = 'pid' AND typeof(m.value) = 'integer') AS pid
FROM source s WHERE s.target = 'api_call' AND s.state = 'raw' AND s.records > 0 AND s.has_done = 1 AND s.damaged_bytes = 0 AND s.file GLOB '*data/acl_api.*'
ORDER BY s.id LIMIT 64;

INSERT INTO data_check
SELECT 'call_marker', 'calls', 'contradiction', 'the .done marker of calls tells their first start, last end and process', count(*), count(differs), min(file) FILTER (WHERE differs IS NOT NULL),
  differs
FROM (SELECT t.file, CASE WHEN min(c.start_ns) <> t.start_ns THEN 'the first call starts at ' || (min(c.start_ns) / 1000) || ' us, the marker says ' || (t.start_ns / 1000)
        WHEN max(c.start_ns + c.dur_ns) <> t.end_ns THEN 'the last call ends at ' || (max(c.start_ns + c.dur_ns) / 1000) || ' us, the marker says ' || (t.end_ns / 1000)
        WHEN min(c.pid) <> t.pid OR max(c.pid) <> t.pid THEN 'a call is of process ' || max(c.pid) || ', the marker says ' || t.pid END AS differs
      FROM told_calls t CROSS JOIN api_call c ON c.rowid BETWEEN t.first_row AND min(t.first_row + 511, t.last_row) OR c.rowid BETWEEN max(t.first_row, t.last_row - 511) AND t.last_row
      WHERE t.start_ns IS NOT NULL AND t.end_ns IS NOT NULL GROUP BY t.id) HAVING count(*);

-- Calls about inferences that are looked at. Every 256th call tells where to look; calls stand in the order of their ends.
CREATE TEMP TABLE call_mark AS
SELECT s.device_id, s.model, s.model_id, s.first_row, s.last_row, s.first_row + 256 * n.value AS row, c.start_ns + c.dur_ns AS end_ns
FROM source s CROSS JOIN numbers((s.records + 255) / 256) n CROSS JOIN api_call c ON c.rowid = s.first_row + 256 * n.value
WHERE s.target = 'api_call' AND s.state = 'raw' AND s.records > 0 AND s.has_done = 1 AND s.damaged_bytes = 0;
CREATE INDEX temp.call_mark_by_time ON call_mark(device_id, model_id, end_ns);

CREATE TEMP TABLE about_call AS
SELECT l.file, l.told_start_ns, l.told_end_ns, m.first_row, m.last_row,
  (SELECT max(k.row) FROM call_mark k WHERE k.device_id = l.device_id AND k.model_id = l.model_id AND k.model = l.model AND k.end_ns < l.told_start_ns) AS row
FROM looked l JOIN (SELECT device_id, model, model_id, min(first_row) AS first_row, max(last_row) AS last_row FROM call_mark
  GROUP BY device_id, model, model_id HAVING count(DISTINCT first_row) = 1) m
  ON m.device_id = l.device_id AND m.model = l.model AND m.model_id = l.model_id
WHERE l.told_start_ns IS NOT NULL AND l.told_end_ns >= l.told_start_ns AND l.id % ((SELECT max(id) FROM looked) / 64 + 1) = (SELECT min(id) FROM looked) % ((SELECT max(id) FROM looked) / 64 + 1);

INSERT INTO data_check
SELECT 'in_call', 'tasks', 'doubt', 'most inferences lie within a call that executes their model', count(*),
  count(*) FILTER (WHERE NOT lies) * (count(*) FILTER (WHERE NOT lies) * 2 > count(*)), min(file) FILTER (WHERE NOT lies),
  (count(*) FILTER (WHERE NOT lies)) || ' of ' || count(*) || ' inferences lie in no call that executes their model'
FROM (SELECT a.*, EXISTS (
        SELECT 1 FROM api_call c WHERE c.rowid BETWEEN coalesce(a.row, a.first_row) AND min(coalesce(a.row, a.first_row) + 767, a.last_row)
          AND c.name = 'svp_acl_mdl_execute' AND c.start_ns <= a.told_start_ns + 1000 AND c.start_ns + c.dur_ns >= a.told_end_ns - 1000)
      OR EXISTS (SELECT 1 FROM api_call c WHERE c.rowid BETWEEN max(a.first_row, coalesce(a.row, a.first_row) - 768) AND min(coalesce(a.row, a.first_row) + 767, a.last_row)
          AND c.name = 'svp_acl_mdl_execute_async' AND c.start_ns <= a.told_start_ns + 1000)
        AND EXISTS (SELECT 1 FROM api_call c WHERE c.rowid BETWEEN coalesce(a.row, a.first_row) AND min(coalesce(a.row, a.first_row) + 767, a.last_row)
          AND c.name = 'svp_acl_rt_synchronize_stream' AND c.start_ns + c.dur_ns >= a.told_end_ns - 1000) AS lies
      FROM about_call a) HAVING count(*);
DROP TABLE about_call;
DROP TABLE call_mark;
DROP TABLE told_calls;

INSERT INTO data_check
SELECT 'cpu_window', 'cpu', 'contradiction', 'a task of the AI CPU lies within the inference that runs it', count(*), count(*) FILTER (WHERE NOT lies), min(file) FILTER (WHERE NOT lies),
  (count(*) FILTER (WHERE NOT lies)) || ' of ' || count(*) || ' tasks lie outside their inference'
FROM (SELECT s.file, c.start_ns >= l.told_start_ns - 1000 AND c.start_ns + c.dur_ns <= l.told_end_ns + 1000 AS lies
      FROM (SELECT * FROM looked LIMIT 256) l
      CROSS JOIN source s INDEXED BY source_by_identity ON s.target = 'aicpu_task' AND s.device_id = l.device_id AND s.model_id = l.model_id AND s.current_pic = l.current_pic AND s.model = l.model
      CROSS JOIN aicpu_task c ON c.rowid BETWEEN s.first_row AND s.last_row WHERE l.told_start_ns IS NOT NULL AND l.told_end_ns IS NOT NULL) HAVING count(*);

-- More than any memory of these boards moves.
INSERT INTO data_check
SELECT 'memory_rate', 'counters', 'doubt', 'the memory moves at most 100 bytes in a nanosecond', count(*), count(*) FILTER (WHERE rate > 100), NULL,
  'the memory moves ' || max(CAST(rate AS INTEGER)) || ' bytes in a nanosecond, more than 100'
FROM (SELECT 1.0 * (ddr_read_bytes + ddr_write_bytes) / dur_ns AS rate FROM inference WHERE dur_ns > 0 AND ddr_read_bytes IS NOT NULL LIMIT 1024) HAVING count(*);
DROP TABLE looked;

-- What the counters are worth.
INSERT INTO meta
SELECT 'counters', CASE WHEN EXISTS (SELECT 1 FROM data_check WHERE about = 'counters' AND weight = 'contradiction' AND failed > 0) THEN 'contradicted'
  WHEN EXISTS (SELECT 1 FROM data_check WHERE about = 'counters' AND weight = 'proof') THEN 'known'
  WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'assumed_columns') AND EXISTS (SELECT 1 FROM aicore_task) THEN 'assumed' ELSE 'known' END;
INSERT INTO note(kind, file, text)
SELECT 'counters', NULL, 'counters in assumed places, not verified: msprof learn finds them from the vendor''s tables'
FROM meta WHERE key = 'counters' AND value = 'assumed';
