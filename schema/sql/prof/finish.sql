-- Runs once all records of a PROF job are loaded: names, clocks, and the join of host, device and counters.

INSERT OR IGNORE INTO name SELECT hash, name FROM hash_dic;
INSERT INTO note(kind, text)
SELECT 'odd', 'hashes with more than one name: ' || count(*) || '; the first one of each counts'
FROM (SELECT hash FROM hash_dic GROUP BY hash HAVING count(DISTINCT name) > 1) HAVING count(*);
INSERT OR IGNORE INTO type_name SELECT level, type, name FROM type_info_dic;

-- What to add to the host's monotonic ns for the time of day, and where collecting began and ended in those ns.
INSERT INTO meta
SELECT 'wall_offset_ns', coalesce(
  (SELECT CAST(json_extract(text, '$.collectionTimeBegin') AS INTEGER) * 1000
            - CAST(json_extract(text, '$.clockMonotonicRaw') AS INTEGER)
   FROM control WHERE name = 'start_info' AND CAST(json_extract(text, '$.collectionTimeBegin') AS INTEGER) > 0
     AND CAST(json_extract(text, '$.clockMonotonicRaw') AS INTEGER) > 0
   ORDER BY device_id IS NOT NULL, device_id LIMIT 1),
  (SELECT host_realtime_ns - host_monotonic_ns FROM device WHERE host_realtime_ns IS NOT NULL ORDER BY device_id LIMIT 1),
  0);
INSERT INTO meta
SELECT 'begin_ns', (SELECT CAST(json_extract(text, '$.clockMonotonicRaw') AS INTEGER) FROM control
  WHERE name = 'start_info' AND text IS NOT NULL ORDER BY device_id IS NOT NULL, device_id LIMIT 1);
INSERT INTO meta
SELECT 'end_ns', (SELECT CAST(json_extract(text, '$.collectionTimeEnd') AS INTEGER) * 1000 FROM control
  WHERE name = 'end_info' AND CAST(json_extract(text, '$.collectionTimeEnd') AS INTEGER) > 0
  ORDER BY device_id IS NOT NULL, device_id LIMIT 1) - (SELECT value FROM meta WHERE key = 'wall_offset_ns');
INSERT INTO meta
SELECT 'pid', coalesce((SELECT CAST(json_extract(text, '$.pid') AS INTEGER) FROM control
  WHERE name = 'info.json' AND json_extract(text, '$.pid') IS NOT NULL ORDER BY device_id IS NOT NULL, device_id LIMIT 1), 0);
INSERT INTO meta VALUES('clock', 'ns of the host''s monotonic clock; add wall_offset_ns for the time of day');

-- A connection is the number of a call in order of start: most recorders write them so.
CREATE TEMP TABLE call AS
SELECT level, type, thread_id, item_id, start_ns, dur_ns FROM api
WHERE EXISTS (SELECT 1 FROM (SELECT start_ns < lag(start_ns) OVER (ORDER BY connection_id) AS back FROM api) WHERE back)
ORDER BY start_ns, connection_id;
DELETE FROM api WHERE EXISTS (SELECT 1 FROM temp.call);
INSERT INTO api(level, type, thread_id, item_id, start_ns, dur_ns) SELECT * FROM temp.call ORDER BY rowid;
DROP TABLE temp.call;

CREATE INDEX node_call ON api(thread_id, start_ns) WHERE level = 10000;

-- What was said of a node during its call: the first of each counts.
CREATE TEMP TABLE node(connection_id INTEGER PRIMARY KEY, op_name, op_type, node_type, block_num, mix_num, op_flag);
INSERT OR IGNORE INTO temp.node
SELECT (SELECT c.connection_id FROM api c WHERE c.level = 10000 AND c.thread_id = n.thread_id AND c.start_ns <= n.time_ns
          AND n.time_ns <= c.start_ns + c.dur_ns ORDER BY c.start_ns DESC LIMIT 1) AS id,
  op_name, op_type, task_type, block_num, mix_num, op_flag
FROM node_basic_info n WHERE id IS NOT NULL;

-- Tensors: 44 bytes each, of type (0 input, 1 output), format, data type and eight sizes. Alike ones are written out once.
CREATE TEMP TABLE tensor_call AS
SELECT (SELECT c.connection_id FROM api c WHERE c.level = 10000 AND c.thread_id = n.thread_id AND c.start_ns <= n.time_ns
          AND n.time_ns <= c.start_ns + c.dur_ns ORDER BY c.start_ns DESC LIMIT 1) AS connection_id,
  substr(tensors, 1, 44 * min(tensor_num, 5)) AS tensors, rowid AS row
FROM tensor_info n WHERE tensor_num > 0;
DELETE FROM temp.tensor_call WHERE connection_id IS NULL;
CREATE INDEX temp.tensor_by_call ON tensor_call(connection_id);
-- more than five tensors come in several records
INSERT INTO temp.tensor_call
SELECT -connection_id, CAST(group_concat(tensors, '') AS BLOB), min(row)
FROM (SELECT * FROM temp.tensor_call ORDER BY row) GROUP BY connection_id HAVING count(*) > 1;
DELETE FROM temp.tensor_call WHERE connection_id > 0 AND EXISTS (
  SELECT 1 FROM temp.tensor_call m WHERE m.connection_id = -tensor_call.connection_id);
CREATE TEMP TABLE kind AS SELECT tensors, min(row) AS row FROM temp.tensor_call GROUP BY tensors;
CREATE TEMP TABLE side AS
SELECT k.rowid AS id, number_at(k.tensors, 44 * e.value, 4) AS side,
  e.value AS place, number_at(k.tensors, 44 * e.value + 4, 4) AS format, number_at(k.tensors, 44 * e.value + 8, 4) AS type,
  (SELECT coalesce(group_concat(number_at(k.tensors, 44 * e.value + 12 + 4 * d.value, 4), ','), '')
   FROM json_each('[0,1,2,3,4,5,6,7]') d WHERE number_at(k.tensors, 44 * e.value + 12 + 4 * d.value, 4) <> 0) AS shape
FROM temp.kind k JOIN json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]') e ON 44 * (e.value + 1) <= length(k.tensors);
INSERT INTO tensor
SELECT id,
  '"' || group_concat(shape, ';') FILTER (WHERE side = 0) || '"',
  group_concat(coalesce(t.name, type), ';') FILTER (WHERE side = 0),
  group_concat(coalesce(f.name, (SELECT name FROM data_format WHERE kind = (format & 255)) || ':' || (format >> 8), format), ';')
    FILTER (WHERE side = 0),
  '"' || group_concat(shape, ';') FILTER (WHERE side = 1) || '"',
  group_concat(coalesce(t.name, type), ';') FILTER (WHERE side = 1),
  group_concat(coalesce(f.name, (SELECT name FROM data_format WHERE kind = (format & 255)) || ':' || (format >> 8), format), ';')
    FILTER (WHERE side = 1)
FROM (SELECT * FROM temp.side ORDER BY id, place) LEFT JOIN data_type t ON t.kind = type LEFT JOIN data_format f ON f.kind = format
GROUP BY id;
CREATE UNIQUE INDEX temp.kind_by_bytes ON kind(tensors);
CREATE TEMP TABLE tensor_of(connection_id INTEGER PRIMARY KEY, tensor_id INTEGER);
INSERT OR IGNORE INTO temp.tensor_of
SELECT abs(c.connection_id), k.rowid FROM temp.tensor_call c JOIN temp.kind k ON k.tensors = c.tensors;
DROP TABLE temp.tensor_call;
DROP TABLE temp.kind;
DROP TABLE temp.side;

-- What the host launched, with the flips of its streams counted in.
CREATE TEMP TABLE launch(
  device_id, stream_id, task_id, batch_id, nth, connection_id, thread_id, launch_ns, host_type, kernel_name, block_num, mix_num
);
INSERT INTO temp.launch
SELECT device_id, stream_id, task_id, batch_id,
  row_number() OVER (PARTITION BY device_id, stream_id, task_id, batch_id ORDER BY time_ns) AS nth,
  (SELECT c.connection_id FROM api c WHERE c.level = 10000 AND c.thread_id = t.thread_id AND c.start_ns <= t.time_ns
     AND t.time_ns <= c.start_ns + c.dur_ns ORDER BY c.start_ns DESC LIMIT 1),
  thread_id, time_ns, task_type, kernel_name,
  CASE WHEN data_len >= 40 THEN block_num & 65535 END, CASE WHEN data_len >= 40 THEN block_num >> 16 END
FROM task_track t
WHERE coalesce((SELECT name FROM name WHERE hash = t.task_type), '') <> 'FLIP_TASK';
CREATE UNIQUE INDEX temp.launch_by_task ON launch(device_id, stream_id, task_id, batch_id, nth);

-- Device tasks: an end closes the latest open start of its stream and task. The numbers of a stream and a task
-- share bits: bits 12 and 13 of the stream say how.
CREATE TEMP TABLE log AS
SELECT device_id, end, task_type, context_id, time_ns, row,
  CASE WHEN raw_stream & 4096 THEN raw_stream & 2047 WHEN raw_stream & 8192 THEN raw_task & 2047
       ELSE raw_stream & 2047 END AS stream_id,
  CASE WHEN raw_stream & 4096 THEN (raw_task & 8191) | (raw_stream & 57344)
       WHEN raw_stream & 8192 THEN (raw_stream & 4095) | (raw_task & 61440) ELSE raw_task END AS task_id
FROM (
  SELECT s.device_id, e.end, e.task_type, e.stream_id AS raw_stream, e.task_id AS raw_task, 4294967295 AS context_id,
    e.time_ns, e.rowid AS row
  FROM source s CROSS JOIN stars_log e
  WHERE s.target = 'stars_log' AND e.rowid BETWEEN s.first_row AND s.last_row
  UNION ALL
  SELECT s.device_id, e.end, 256 + e.subtask_type, e.stream_id, e.task_id, e.context_id, e.time_ns, e.rowid
  FROM source s CROSS JOIN ffts_log e
  WHERE s.target = 'ffts_log' AND e.rowid BETWEEN s.first_row AND s.last_row
);
CREATE TEMP TABLE step AS
SELECT *, lag(end) OVER w AS before_end, lag(time_ns) OVER w AS start_ns, lead(end) OVER w AS after_end
FROM temp.log WINDOW w AS (PARTITION BY device_id, stream_id, task_id, context_id ORDER BY row);
DROP TABLE temp.log;

INSERT INTO unpaired
SELECT device_id, stream_id, task_id, time_ns, CASE end WHEN 0 THEN 'start without an end' ELSE 'end without a start' END
FROM temp.step WHERE (end = 0 AND after_end IS NOT 1) OR (end = 1 AND before_end IS NOT 0) ORDER BY row;

CREATE TEMP TABLE run AS
SELECT device_id, stream_id, task_id, context_id, start_ns, time_ns - start_ns AS dur_ns, task_type, 0 AS batch_id
FROM temp.step WHERE end = 1 AND before_end = 0;
DROP TABLE temp.step;

CREATE TEMP TABLE flip AS
SELECT s.device_id, f.stream_id, f.task_id, f.flip_num, f.time_ns
FROM source s CROSS JOIN ts_flip f WHERE s.target = 'ts_flip' AND f.rowid BETWEEN s.first_row AND s.last_row;
CREATE INDEX temp.flip_by_stream ON flip(device_id, stream_id, time_ns);
-- A flip begins a new batch, the end of a stream begins with 0; a task of a small number just before a flip belongs behind it.
UPDATE temp.run SET batch_id = (
  SELECT count(*) FROM temp.flip f
  WHERE f.device_id = run.device_id AND f.stream_id = run.stream_id AND f.flip_num <> 65535
    AND (f.time_ns <= run.start_ns)
    AND f.time_ns > coalesce((SELECT max(d.time_ns) FROM temp.flip d WHERE d.device_id = run.device_id
          AND d.stream_id = run.stream_id AND d.flip_num = 65535 AND d.time_ns <= run.start_ns), -9223372036854775808))
WHERE EXISTS (SELECT 1 FROM temp.flip f WHERE f.device_id = run.device_id AND f.stream_id = run.stream_id);
DROP TABLE temp.flip;

-- Counters: those of the vector core come from tasks of that kind.
CREATE TEMP TABLE count AS
SELECT s.device_id, p.stream_id & 2047 AS stream_id, p.task_id,
  CASE WHEN p.ffts_type = 4 THEN p.context_id ELSE 4294967295 END AS context_id,
  CASE WHEN p.ffts_type = 4 THEN p.subtask_type IN (1, 7) ELSE p.task_type = 2 OR p.ffts_type = 1 END AS is_vector,
  row_number() OVER (PARTITION BY s.device_id, p.stream_id, p.task_id, p.context_id, p.subtask_type ORDER BY p.rowid) AS nth,
  p.total_cycles, p.pmu0, p.pmu1, p.pmu2, p.pmu3, p.pmu4, p.pmu5, p.pmu6, p.pmu7
FROM source s CROSS JOIN pmu p WHERE s.target = 'pmu' AND p.rowid BETWEEN s.first_row AND s.last_row;
CREATE UNIQUE INDEX temp.count_by_task ON count(device_id, stream_id, task_id, context_id, is_vector, nth);

-- Frequencies: that of the info file holds from the device's beginning.
INSERT INTO core_frequency
SELECT device_id, time_ns, mhz FROM (
  SELECT device_id, host_monotonic_ns AS time_ns, CAST(json_extract(text, '$.DeviceInfo[0].aic_frequency') AS INTEGER) AS mhz,
    0 AS row, 0 AS place
  FROM device JOIN control USING (device_id) WHERE control.name = 'info.json' AND text IS NOT NULL
  UNION ALL
  SELECT s.device_id,
    d.host_monotonic_ns + (number_at(f.entries, 16 * e.value, 8) - coalesce((SELECT CAST(trim(substr(text,
        instr(text, 'cntvct:') + 7)) AS INTEGER) FROM control c WHERE c.device_id = s.device_id AND c.name = 'dev_start.log'), 0))
      * 1000 / d.counter_mhz,
    number_at(f.entries, 16 * e.value + 8, 4), f.rowid, e.value + 1
  FROM source s CROSS JOIN freq f JOIN device d ON d.device_id = s.device_id
  JOIN json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54]') e
  WHERE s.target = 'freq' AND f.rowid BETWEEN s.first_row AND s.last_row AND e.value < f.points
) WHERE mhz > 0 ORDER BY device_id, row, place;

INSERT INTO task(device_id, stream_id, task_id, batch_id, context_id, start_ns, dur_ns, wait_ns, device_type, thread_id, launch_ns,
  connection_id, model_id, host_type, kernel_name, op_name, op_type, node_type, block_num, mix_num, op_flag, tensor_id,
  frequency_mhz, aic_cycles, aic_pmu0, aic_pmu1, aic_pmu2, aic_pmu3, aic_pmu4, aic_pmu5, aic_pmu6, aic_pmu7,
  aiv_cycles, aiv_pmu0, aiv_pmu1, aiv_pmu2, aiv_pmu3, aiv_pmu4, aiv_pmu5, aiv_pmu6, aiv_pmu7)
SELECT r.device_id, r.stream_id, r.task_id, r.batch_id, r.context_id, r.start_ns, r.dur_ns,
  r.start_ns - lag(r.start_ns + r.dur_ns) OVER (PARTITION BY r.device_id ORDER BY r.start_ns), r.task_type, l.thread_id, l.launch_ns,
  l.connection_id, 4294967295, l.host_type, l.kernel_name, n.op_name, n.op_type, n.node_type,
  coalesce(l.block_num, n.block_num), coalesce(l.mix_num, n.mix_num), n.op_flag, t.tensor_id,
  (SELECT f.mhz FROM core_frequency f WHERE f.device_id = r.device_id AND f.time_ns <= r.start_ns ORDER BY f.rowid DESC LIMIT 1),
  c.total_cycles, c.pmu0, c.pmu1, c.pmu2, c.pmu3, c.pmu4, c.pmu5, c.pmu6, c.pmu7,
  v.total_cycles, v.pmu0, v.pmu1, v.pmu2, v.pmu3, v.pmu4, v.pmu5, v.pmu6, v.pmu7
FROM (SELECT *, row_number() OVER (PARTITION BY device_id, stream_id, task_id, batch_id, context_id ORDER BY start_ns) AS nth,
        row_number() OVER (PARTITION BY device_id, stream_id, task_id, context_id ORDER BY start_ns) AS run FROM temp.run) r
LEFT JOIN temp.launch l ON l.device_id = r.device_id AND l.stream_id = r.stream_id AND l.task_id = r.task_id
  AND l.batch_id = r.batch_id AND l.nth = r.nth
LEFT JOIN temp.node n ON n.connection_id = l.connection_id
LEFT JOIN temp.tensor_of t ON t.connection_id = l.connection_id
LEFT JOIN temp.count c ON c.device_id = r.device_id AND c.stream_id = r.stream_id AND c.task_id = r.task_id
  AND c.context_id = r.context_id AND c.is_vector = 0 AND c.nth = r.run
LEFT JOIN temp.count v ON v.device_id = r.device_id AND v.stream_id = r.stream_id AND v.task_id = r.task_id
  AND v.context_id = r.context_id AND v.is_vector = 1 AND v.nth = r.run
ORDER BY r.device_id, r.start_ns;
DROP INDEX node_call;
DROP TABLE temp.launch;
DROP TABLE temp.node;
DROP TABLE temp.tensor_of;
DROP TABLE temp.count;
DROP TABLE temp.run;

INSERT INTO counter
SELECT c.device_id, core.value, e.key, hex_int(e.value)
FROM control c JOIN json_each('["aic","aiv"]') core
JOIN json_each('["' || replace(json_extract(c.text, '$.' || CASE core.value WHEN 'aic' THEN 'ai_core' ELSE 'aiv' END || '_profiling_events'), ',', '","') || '"]') e
WHERE c.name = 'sample.json' AND c.device_id IS NOT NULL AND e.key < 10
  AND json_type(c.text, '$.' || CASE core.value WHEN 'aic' THEN 'ai_core' ELSE 'aiv' END || '_profiling_events') = 'text';

INSERT INTO meta
SELECT 'core_count', json_extract(text, '$.DeviceInfo[0].ai_core_num') FROM control
WHERE name = 'info.json' AND device_id IS NOT NULL AND text IS NOT NULL ORDER BY device_id LIMIT 1;

INSERT INTO meta SELECT 'inference', EXISTS (SELECT 1 FROM task) OR EXISTS (SELECT 1 FROM api) OR EXISTS (SELECT 1 FROM msproftx);
