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
INSERT INTO meta
SELECT 'level0', coalesce((SELECT coalesce(json_extract(text, '$.profLevel'), json_extract(text, '$.prof_level')) IN ('l0', 'level0') FROM control
  WHERE name = 'sample.json' AND text IS NOT NULL ORDER BY device_id IS NOT NULL, device_id LIMIT 1), 0);
INSERT INTO meta VALUES('clock', 'ns of the host''s monotonic clock; add wall_offset_ns for the time of day');

-- Pairs of events with the same numbers are calls.
CREATE TEMP TABLE event_pair(level INTEGER, type INTEGER, thread_id INTEGER, item_id INTEGER, start_ns INTEGER, dur_ns INTEGER);
-- @when EXISTS (SELECT 1 FROM event)
INSERT INTO temp.event_pair
SELECT level, type, thread_id, item_id, begun_ns, time_ns - begun_ns FROM (
  SELECT *, rowid AS row, lag(time_ns) OVER w AS begun_ns, row_number() OVER w AS number
  FROM event WINDOW w AS (PARTITION BY level, type, thread_id, request_id, item_id ORDER BY rowid))
WHERE number % 2 = 0 ORDER BY row;
INSERT INTO temp.calls_unsorted SELECT 1 FROM temp.event_pair LIMIT 1;
INSERT INTO temp.call_seen
SELECT level, type, thread_id, count(*), total_int(dur_ns), min(dur_ns), max(dur_ns), total(1.0 * dur_ns * dur_ns), min(start_ns)
FROM temp.event_pair WHERE dur_ns >= 0 GROUP BY level, type, thread_id;
-- @end

-- A connection is the number of a call in order of start: most recorders write them so. Of calls that begin together the outer is first, then
-- all that they say decides.
-- @when EXISTS (SELECT 1 FROM temp.calls_unsorted)
CREATE TEMP TABLE call AS
SELECT level, type, thread_id, item_id, start_ns, dur_ns FROM api
UNION ALL SELECT level, type, thread_id, item_id, start_ns, dur_ns FROM temp.event_pair
ORDER BY start_ns, level DESC, dur_ns DESC, thread_id, type, item_id;
DELETE FROM api;
INSERT INTO api(level, type, thread_id, item_id, start_ns, dur_ns)
SELECT level, type, thread_id, item_id, start_ns, dur_ns FROM temp.call ORDER BY rowid;
DROP TABLE temp.call;
-- @end

DROP TABLE temp.event_pair;

-- The call of a node around a time of a thread, and others that launch tasks. Those of sorted calls were gathered while they were loaded.
-- @when EXISTS (SELECT 1 FROM temp.calls_unsorted)
CREATE VIRTUAL TABLE temp.node USING intervals(
  SELECT thread_id, start_ns, start_ns + dur_ns, connection_id FROM api WHERE level = 10000 ORDER BY connection_id);
CREATE VIRTUAL TABLE temp.outer USING intervals(
  SELECT thread_id, start_ns, start_ns + dur_ns, connection_id FROM api WHERE level IN (15000, 20000) ORDER BY connection_id);
-- @end
-- @when NOT EXISTS (SELECT 1 FROM temp.calls_unsorted)
CREATE VIRTUAL TABLE temp.node USING intervals;
CREATE VIRTUAL TABLE temp.outer USING intervals;
-- @end
DROP TABLE temp.calls_unsorted;

-- A call of the acl level has its name as its id, its category as its mode.
INSERT INTO call_kind
SELECT a.level << 32 | a.type, coalesce(l.shown, ''), coalesce(y.name, CAST(a.type AS TEXT)),
  coalesce(l.track, 'Api') || '@' || coalesce(y.name, CAST(a.type AS TEXT)),
  CASE a.level WHEN 20000 THEN coalesce(m.name, CAST(a.type >> 16 AS TEXT)) ELSE coalesce(y.name, CAST(a.type AS TEXT)) END,
  CASE a.level WHEN 20000 THEN coalesce(y.name, CAST(a.type AS TEXT)) ELSE '0' END, a.count, a.total_ns, a.shortest_ns, a.longest_ns, a.squares
FROM (SELECT level, type, total_int(count) AS count, total_int(total_ns) AS total_ns, min(shortest_ns) AS shortest_ns, max(longest_ns) AS longest_ns,
    total(squares) AS squares FROM (SELECT * FROM temp.call_seen ORDER BY level, type, thread_id) GROUP BY level, type) a
LEFT JOIN level l USING (level) LEFT JOIN type_name y USING (level, type) LEFT JOIN acl_mode m ON m.category = a.type >> 16;
INSERT INTO thread SELECT thread_id FROM temp.call_seen GROUP BY thread_id ORDER BY min(first_ns), thread_id;
DROP TABLE temp.call_seen;

-- The reference reads no operators of this chip.
-- @when EXISTS (SELECT 1 FROM control WHERE name = 'info.json' AND json_extract(text, '$.platform_version') + 0 = 16)
UPDATE host_word SET in_node = 0, alone = 0, contexts = 0, by_context = 0;
-- @end

-- What the types of launches are called, and what they say of their tasks: bits as of lib/join/tasks_internal.h.
INSERT OR IGNORE INTO host_kind SELECT type, name FROM type_name WHERE level = 5000;
INSERT OR IGNORE INTO host_kind SELECT hash, name FROM name WHERE name IN (SELECT name FROM host_word) OR name GLOB 'KERNEL*';
CREATE VIRTUAL TABLE temp.host_rule USING firsts(
  SELECT k.kind, coalesce(w.in_node + 2 * w.alone + 4 * w.busy + 8 * w.by_context + 16 * w.copies, k.name GLOB 'KERNEL*')
  FROM host_kind k LEFT JOIN host_word w USING (name));
CREATE VIRTUAL TABLE temp.kernel_kind USING firsts(
  SELECT k.kind, w.node_kind FROM host_kind k JOIN host_word w USING (name) WHERE w.node_kind IS NOT NULL);

-- Tensors: 44 bytes each, of type (0 input, 1 output), format, data type and eight sizes. Alike ones are written out once.
CREATE TEMP TABLE tensor_call AS
SELECT c.value AS connection_id, n.op_name, substr(n.tensors, 1, 44 * min(n.tensor_num, 5)) AS tensors, n.rowid AS row
FROM tensor_info n CROSS JOIN temp.node c ON c.key = n.thread_id AND c.at = n.time_ns WHERE n.tensor_num > 0;
-- those of captured operators by their rows, as calls that no call is
INSERT INTO temp.tensor_call
SELECT rowid + 4611686018427387904, op_name, substr(tensors, 1, 44 * min(tensor_num, 3)), rowid + 4611686018427387904 FROM capture_op_info WHERE tensor_num > 0;
CREATE INDEX temp.tensor_by_call ON tensor_call(connection_id, op_name);
-- more than five tensors of an operator come in several records, of which the first 400 count
INSERT INTO temp.tensor_call
SELECT -connection_id, op_name, CAST(group_concat(tensors, '') AS BLOB), min(row)
FROM (SELECT *, row_number() OVER (PARTITION BY connection_id, op_name ORDER BY row) AS n FROM temp.tensor_call) WHERE n <= 400
GROUP BY connection_id, op_name HAVING count(*) > 1;
DELETE FROM temp.tensor_call WHERE connection_id > 0 AND EXISTS (
  SELECT 1 FROM temp.tensor_call m WHERE m.connection_id = -tensor_call.connection_id AND m.op_name = tensor_call.op_name);
UPDATE temp.tensor_call SET connection_id = -connection_id WHERE connection_id < 0;
CREATE TEMP TABLE kind AS SELECT tensors, min(row) AS row FROM temp.tensor_call GROUP BY tensors;
CREATE TEMP TABLE side AS
SELECT k.rowid AS id, number_at(k.tensors, 44 * e.value, 4) AS side,
  e.value AS place, number_at(k.tensors, 44 * e.value + 4, 4) AS format, number_at(k.tensors, 44 * e.value + 8, 4) AS type,
  (SELECT coalesce(group_concat(number_at(k.tensors, 44 * e.value + 12 + 4 * d.value, 4), ','), '')
   FROM numbers(8) d WHERE d.value < coalesce((SELECT min(z.value) FROM numbers(8) z
     WHERE number_at(k.tensors, 44 * e.value + 12 + 4 * z.value, 4) = 0), 8)) AS shape -- to the first 0
FROM temp.kind k CROSS JOIN numbers(length(k.tensors) / 44) e;
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
-- The first tensors of a call, and, where a call is of several operators, those of each.
CREATE VIRTUAL TABLE temp.tensor_of_call USING firsts(
  SELECT c.connection_id, k.rowid AS value FROM temp.tensor_call c CROSS JOIN temp.kind k ON k.tensors = c.tensors ORDER BY c.rowid);
CREATE VIRTUAL TABLE temp.tensor_of_op USING firsts(
  SELECT c.connection_id, c.op_name, k.rowid AS value FROM temp.tensor_call c CROSS JOIN temp.kind k ON k.tensors = c.tensors
  WHERE c.connection_id IN (SELECT connection_id FROM temp.tensor_call GROUP BY connection_id HAVING min(op_name) <> max(op_name))
  ORDER BY c.rowid);
DROP TABLE temp.tensor_call;
DROP TABLE temp.kind;
DROP TABLE temp.side;

-- The batch of a run of the device: since when which one, by device and stream.
-- @when EXISTS (SELECT 1 FROM ts_flip)
CREATE VIRTUAL TABLE temp.flip USING flip_batches(
  SELECT 0 AS host, s.device_id, f.stream_id, f.time_ns, f.flip_num = 65535 AS ends, f.task_id
  FROM source s CROSS JOIN ts_flip f WHERE s.target = 'ts_flip' AND f.rowid BETWEEN s.first_row AND s.last_row);
CREATE VIRTUAL TABLE temp.batch USING intervals(
  SELECT device_id << 32 | stream_id, time_ns, 9223372036854775807, batch_id FROM temp.flip);
DROP TABLE temp.flip;
-- @end

-- Files that no layout reads, with the option that made them.
UPDATE source SET remark = (SELECT 'made by ' || min(made_by) FROM file_option WHERE source.file GLOB pattern) WHERE state = 'unknown' AND remark IS NULL;

-- Frequencies and voltages: the last one from before the device's beginning holds from there, else the frequency of the info file and 900 mV.
INSERT INTO lpm_point
WITH point AS (
  SELECT s.device_id, l.kind, l.rowid AS row, e.value AS place, number_at(l.entries, 16 * e.value + 8, 4) AS value, d.host_monotonic_ns, d.counter_mhz,
    number_at(l.entries, 16 * e.value, 8) - coalesce((SELECT CAST(trim(substr(text, instr(text, 'cntvct:') + 7)) AS INTEGER) FROM control c
      WHERE c.device_id = s.device_id AND c.name = 'dev_start.log'), 0) AS ticks
  FROM source s CROSS JOIN lpm l JOIN device d ON d.device_id = s.device_id CROSS JOIN numbers(min(l.points, 55)) e
  WHERE s.target = 'lpm' AND l.rowid BETWEEN s.first_row AND s.last_row AND l.kind <= 2
), early AS (
  SELECT device_id, kind, value, row_number() OVER (PARTITION BY device_id, kind ORDER BY row DESC, place DESC) AS n FROM point WHERE ticks < 0
)
SELECT device_id, kind, value, time_ns FROM (
  SELECT p.device_id, p.kind, 0 AS row, 0 AS place, host_monotonic_ns AS time_ns,
    coalesce(e.value, CASE p.kind WHEN 0 THEN (SELECT CAST(json_extract(text, '$.DeviceInfo[0].aic_frequency') AS INTEGER) FROM control c WHERE c.device_id = p.device_id
      AND c.name = 'info.json') ELSE 900 END) AS value
  FROM (SELECT device_id, kind, host_monotonic_ns FROM point GROUP BY device_id, kind) p LEFT JOIN early e ON e.n = 1 AND e.device_id = p.device_id AND e.kind = p.kind
  UNION ALL SELECT device_id, kind, row, place + 1, host_monotonic_ns + ticks * 1000 / counter_mhz, value FROM point WHERE ticks >= 0
) ORDER BY device_id, kind, row, place;

-- Frequencies: that of the info file, or of the user, holds from the device's beginning.
INSERT INTO core_frequency
SELECT device_id, time_ns, mhz FROM (
  SELECT d.device_id, d.host_monotonic_ns AS time_ns, coalesce(nullif(CAST(m.value AS INTEGER), 0),
      CAST(json_extract(c.text, '$.DeviceInfo[0].aic_frequency') AS INTEGER)) AS mhz, 0 AS row, 0 AS place
  FROM device d JOIN meta m ON m.key = 'frequency_option' LEFT JOIN control c ON c.device_id = d.device_id AND c.name = 'info.json'
  UNION ALL
  SELECT s.device_id,
    d.host_monotonic_ns + (number_at(f.entries, 16 * e.value, 8) - coalesce(d.counter_at, 0)) / d.counter_hz * 1000000000
      + (number_at(f.entries, 16 * e.value, 8) - coalesce(d.counter_at, 0)) % d.counter_hz * 1000000000 / d.counter_hz,
    number_at(f.entries, 16 * e.value + 8, 4), f.rowid, e.value + 1
  FROM source s CROSS JOIN freq f JOIN device d ON d.device_id = s.device_id
  CROSS JOIN numbers(min(f.points, 55)) e
  WHERE s.target = 'freq' AND f.rowid BETWEEN s.first_row AND s.last_row
    AND NOT EXISTS (SELECT 1 FROM control i JOIN chip h ON h.chip = CAST(json_extract(i.text, '$.platform_version') AS INTEGER)
      WHERE i.name = 'info.json' AND i.device_id = s.device_id AND coalesce(h.curve, 0) = 0) -- the cores of this chip keep one
  UNION ALL -- where lpmFreqConv tells none
  SELECT p.device_id, p.time_ns, p.value, p.rowid, 1 FROM lpm_point p
  WHERE p.kind = 0 AND NOT EXISTS (SELECT 1 FROM source s WHERE s.target = 'freq' AND s.device_id = p.device_id AND s.records > 0)
    AND NOT EXISTS (SELECT 1 FROM control i JOIN chip h ON h.chip = CAST(json_extract(i.text, '$.platform_version') AS INTEGER)
      WHERE i.name = 'info.json' AND i.device_id = p.device_id AND coalesce(h.curve, 0) = 0)
) WHERE mhz > 0 ORDER BY device_id, row > 0, time_ns, row, place;

-- The latest of those that came before a task; one of before the device's beginning counts more than that of the info file.
CREATE VIRTUAL TABLE temp.frequency USING intervals(
  SELECT s.device_id, s.time_ns, 9223372036854775807, f.mhz
  FROM (SELECT device_id, time_ns, max(rowid) OVER (PARTITION BY device_id ORDER BY time_ns) AS row FROM core_frequency) s
  CROSS JOIN core_frequency f ON f.rowid = s.row ORDER BY s.device_id, s.time_ns);
INSERT INTO meta
SELECT 'core_count', json_extract(text, '$.DeviceInfo[0].ai_core_num') FROM control
WHERE name = 'info.json' AND device_id IS NOT NULL AND text IS NOT NULL ORDER BY device_id LIMIT 1;
INSERT INTO meta
SELECT 'aiv_count', json_extract(text, '$.DeviceInfo[0].aiv_num') FROM control
WHERE name = 'info.json' AND device_id IS NOT NULL AND text IS NOT NULL ORDER BY device_id LIMIT 1;

-- What task.sql is given.
CREATE TEMP TABLE task_given AS
SELECT coalesce((SELECT value FROM meta WHERE key = 'core_count'), 1) AS cores,
  coalesce((SELECT value FROM meta WHERE key = 'aiv_count'), (SELECT value FROM meta WHERE key = 'core_count'), 1) AS aiv_cores, EXISTS (SELECT 1 FROM tensor) AS tensors,
  (SELECT value FROM meta WHERE key = 'level0') AS level0,
  coalesce((SELECT expand_status = 1 FROM expand_stream_spec LIMIT 1), 0) AS expanded,
  (SELECT total_int(1 << kind) FROM task_kind WHERE name IN ('PLACE_HOLDER_SQE', 'EVENT_RECORD_SQE') AND kind < 63) AS whole;
-- At level 0 a node is called by the item of its call.
-- @when (SELECT level0 FROM temp.task_given)
CREATE VIRTUAL TABLE temp.node_item USING firsts(SELECT connection_id, item_id FROM api WHERE level = 10000);
-- @end
-- @when NOT coalesce((SELECT level0 FROM temp.task_given), 0)
CREATE VIRTUAL TABLE temp.node_item USING firsts(SELECT connection_id, item_id FROM api WHERE connection_id = 0);
-- @end

INSERT INTO counter
SELECT c.device_id, core.value, e.key, hex_int(e.value)
FROM control c JOIN json_each('["aic","aiv"]') core
JOIN json_each('[' || replace(json_quote(json_extract(c.text, '$.' || CASE core.value WHEN 'aic' THEN 'ai_core' ELSE 'aiv' END || '_profiling_events')), ',', '","') || ']') e
WHERE c.name = 'sample.json' AND c.device_id IS NOT NULL AND e.key < 10
  AND json_type(c.text, '$.' || CASE core.value WHEN 'aic' THEN 'ai_core' ELSE 'aiv' END || '_profiling_events') = 'text';

-- Steps of the program are between tags 60000 and 60001 of a number. Iterations of a model: tag 0 begins one; 1 ends one that 0 began; 4 ends one and begins the next. 2 and 3 are FP and BP within it.
-- @when EXISTS (SELECT 1 FROM ts_step)
CREATE TEMP TABLE tag AS
SELECT s.device_id, t.model_id, t.index_id, t.tag_id, t.stream_id, t.time_ns, t.rowid AS row, NULL AS start_ns
FROM source s CROSS JOIN ts_step t WHERE s.target = 'ts_step' AND t.rowid BETWEEN s.first_row AND s.last_row;
CREATE UNIQUE INDEX temp.tag_by_row ON tag(row);
UPDATE temp.tag SET start_ns = e.start_ns
FROM (
  SELECT row, tag_id, lag(tag_id) OVER w AS last_tag, lag(time_ns) OVER w AS start_ns,
    max(CASE WHEN tag_id IN (0, 1) THEN 2 * number + (tag_id = 0) END) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) & 1 AS begun
  FROM (SELECT *, lag(tag_id) OVER w AS before, row_number() OVER w AS number FROM temp.tag WHERE tag_id IN (0, 1, 4)
    WINDOW w AS (PARTITION BY device_id, model_id ORDER BY time_ns, row))
  WHERE NOT (tag_id = 0 AND before IS 0) WINDOW w AS (PARTITION BY device_id, model_id ORDER BY time_ns, row)) e
WHERE tag.row = e.row AND e.begun AND (e.last_tag = 0 AND e.tag_id IN (1, 4) OR e.last_tag = 4 AND e.tag_id = 4);
CREATE TEMP TABLE ended AS
SELECT device_id, model_id, max(index_id) FILTER (WHERE start_ns IS NOT NULL) AS index_id, number, max(time_ns) FILTER (WHERE tag_id = 2 AND time_ns >= since_ns) AS fp_ns,
  max(time_ns) FILTER (WHERE tag_id = 3 AND time_ns >= since_ns) AS bp_ns, max(time_ns) FILTER (WHERE start_ns IS NOT NULL) AS end_ns, max(start_ns) AS start_ns
FROM (SELECT *, max(start_ns) OVER (PARTITION BY device_id, model_id, number) AS since_ns
  FROM (SELECT *, 1 + count(start_ns) OVER (PARTITION BY device_id, model_id ORDER BY time_ns, row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS number
    FROM temp.tag))
GROUP BY device_id, model_id, number HAVING end_ns > start_ns
UNION ALL
SELECT device_id, min(model_id), index_id, index_id, NULL, NULL, max(time_ns), min(time_ns)
FROM (SELECT DISTINCT device_id, model_id, index_id, tag_id, time_ns FROM temp.tag WHERE tag_id IN (60000, 60001))
GROUP BY device_id, index_id HAVING count(*) = 2 AND max(time_ns) > min(time_ns);
CREATE INDEX temp.ended_by_time ON ended(device_id, end_ns);
CREATE INDEX temp.ended_by_model ON ended(device_id, model_id, end_ns);
INSERT INTO step
SELECT device_id, model_id, index_id, number AS iteration, fp_ns, bp_ns, end_ns,
  lag(end_ns) OVER (PARTITION BY device_id, model_id ORDER BY end_ns) AS before_ns, start_ns,
  (SELECT max(b.end_ns) FROM temp.ended b WHERE b.device_id = e.device_id AND b.end_ns < e.fp_ns) AS data_ns
FROM temp.ended e ORDER BY device_id, end_ns;
-- Even tags from 10000 to 19999 begin to reduce, from 20000 to 59999 to wait for the next data; the last odd one before the next even one on their
-- stream ends it. On older chips a tag and the next number are a pair.
CREATE TEMP TABLE span AS
SELECT device_id, model_id, number, is_wait, min(time_ns) AS from_ns, max(time_ns) FILTER (WHERE tag_id & 1) AS until_ns, min(stream_ns) AS stream_ns FROM (
  SELECT *, count(*) FILTER (WHERE tag_id & 1 = 0) OVER (PARTITION BY device_id, model_id, number, is_wait, pair, stream_id ORDER BY time_ns, row) AS part,
    min(time_ns) OVER (PARTITION BY device_id, model_id, number, is_wait, stream_id) AS stream_ns
  FROM (SELECT e.device_id, e.model_id, e.number, t.stream_id, t.tag_id, t.time_ns, min(t.row) AS row, t.tag_id >= 20000 AS is_wait,
      CASE WHEN t.tag_id >= 20000 AND EXISTS (SELECT 1 FROM control i JOIN chip c ON c.chip = CAST(json_extract(i.text, '$.platform_version') AS INTEGER)
        WHERE i.name = 'info.json' AND i.device_id = t.device_id AND c.old) THEN t.tag_id >> 1 END AS pair
    FROM temp.tag t CROSS JOIN temp.ended e ON e.start_ns <= t.time_ns AND e.rowid = (SELECT n.rowid FROM temp.ended n
      WHERE n.device_id = t.device_id AND n.model_id = t.model_id AND n.end_ns > t.time_ns ORDER BY n.end_ns LIMIT 1)
    WHERE t.tag_id BETWEEN 10000 AND 59999 GROUP BY e.device_id, e.model_id, e.number, t.stream_id, t.tag_id, t.time_ns))
WHERE part > 0 GROUP BY device_id, model_id, number, is_wait, pair, stream_id, part HAVING until_ns IS NOT NULL;
INSERT INTO step_reduce SELECT device_id, model_id, number, from_ns, until_ns FROM temp.span WHERE NOT is_wait ORDER BY device_id, model_id, number, stream_ns, from_ns;
INSERT INTO step_next SELECT device_id, model_id, number, from_ns, until_ns FROM temp.span WHERE is_wait ORDER BY device_id, model_id, number, stream_ns, from_ns;
DROP TABLE temp.span;
DROP TABLE temp.tag;
DROP TABLE temp.ended;
-- @end
