-- Ascend jobs of the 2022 generation, once all records are loaded: clocks, names, iterations, pairs, joins, notes.

-- Control files: where one says nothing, the chip's defaults.
INSERT INTO setting
SELECT device_id, platform, coalesce(counter_mhz, (SELECT counter_mhz FROM chip c WHERE c.platform = s.platform), 100),
  CASE WHEN device_counter IS NULL OR host_ns IS NULL THEN 0 ELSE device_counter END,
  CASE WHEN device_counter IS NULL OR host_ns IS NULL THEN 0 ELSE host_ns END,
  coalesce(aic_mhz, (SELECT aic_mhz FROM chip c WHERE c.platform = s.platform), 800),
  coalesce(aic_num, 1), metrics
FROM (
  SELECT d.device_id,
    CAST(json_extract(i.text, '$.platform_version') AS INTEGER) AS platform,
    CASE WHEN CAST(json_extract(i.text, '$.DeviceInfo[0].hwts_frequency') AS REAL) BETWEEN 1e-6 AND 1e6
         THEN CAST(json_extract(i.text, '$.DeviceInfo[0].hwts_frequency') AS REAL) END AS counter_mhz,
    CASE WHEN CAST(json_extract(i.text, '$.DeviceInfo[0].aic_frequency') AS REAL) BETWEEN 1e-6 AND 1e6
         THEN CAST(json_extract(i.text, '$.DeviceInfo[0].aic_frequency') AS REAL) END AS aic_mhz,
    CASE WHEN CAST(json_extract(i.text, '$.DeviceInfo[0].ai_core_num') AS INTEGER) > 0
         THEN CAST(json_extract(i.text, '$.DeviceInfo[0].ai_core_num') AS INTEGER) END AS aic_num,
    (SELECT CAST(substr(text, instr(text, 'cntvct:') + 7) AS INTEGER) FROM control c
     WHERE c.name = 'dev_start.log' AND c.device_id IS d.device_id AND instr(text, 'cntvct:')) AS device_counter,
    (SELECT CAST(substr(text, instr(text, 'clock_monotonic_raw:') + 20) AS INTEGER) FROM control c
     WHERE c.name = 'host_start.log' AND (c.device_id = d.device_id OR c.device_id IS NULL)
       AND instr(text, 'clock_monotonic_raw:') ORDER BY c.device_id IS NULL LIMIT 1) AS host_ns,
    (SELECT json_extract(text, '$.ai_core_metrics') FROM control c
     WHERE c.name = 'sample.json' AND (c.device_id = d.device_id OR c.device_id IS NULL)
     ORDER BY c.device_id IS NULL LIMIT 1) AS metrics
  FROM device d LEFT JOIN control i ON i.name = 'info.json' AND i.device_id = d.device_id
) s;

INSERT INTO note(kind, file, text)
SELECT 'assumed', file, what FROM (
  SELECT d.device_id, 'info.json.' || d.device_id AS file,
    'no aic_frequency: the cores are taken to run at ' || CAST(s.aic_mhz AS INTEGER) || ' MHz' AS what
  FROM device d JOIN setting s USING (device_id)
  LEFT JOIN control i ON i.name = 'info.json' AND i.device_id = d.device_id
  WHERE coalesce(CAST(json_extract(i.text, '$.DeviceInfo[0].aic_frequency') AS REAL), 0) <= 0
    AND EXISTS (SELECT 1 FROM aicore_pmu)
  UNION ALL
  SELECT d.device_id, n.name, 'missing; ' || n.use
  FROM device d JOIN (SELECT 'sample.json' AS name, 'the counters of tasks have no names' AS use
                      UNION ALL SELECT 'start_info', 'the time of day of the collection is not known'
                      UNION ALL SELECT 'end_info', 'the collection may have been cut off') n
  WHERE NOT EXISTS (SELECT 1 FROM control c WHERE c.name = n.name AND (c.device_id = d.device_id OR c.device_id IS NULL))
);

-- "0x8,0xa,...": the position of each event. Texts that are no hexadecimal number are passed over.
INSERT OR IGNORE INTO counter
WITH RECURSIVE word(device_id, position, word, rest) AS (
  SELECT d.device_id, -1, '', (SELECT CAST(json_extract(text, '$.ai_core_profiling_events') AS TEXT) || ',' FROM control c
    WHERE c.name = 'sample.json' AND (c.device_id = d.device_id OR c.device_id IS NULL)
    ORDER BY c.device_id IS NULL LIMIT 1)
  FROM device d
  UNION ALL
  SELECT device_id, position + 1, trim(substr(rest, 1, instr(rest, ',') - 1)), substr(rest, instr(rest, ',') + 1)
  FROM word WHERE rest <> '' AND position < 63
), digit(device_id, position, value, rest) AS (
  SELECT device_id, position, 0, lower(substr(word, 3)) FROM word
  WHERE lower(word) GLOB '0x[0-9a-f]*' AND length(word) <= 6
  UNION ALL
  SELECT device_id, position, value * 16 + instr('0123456789abcdef', substr(rest, 1, 1)) - 1, substr(rest, 2)
  FROM digit WHERE rest <> '' AND instr('0123456789abcdef', substr(rest, 1, 1))
)
SELECT device_id, position, value FROM digit WHERE rest = '';

INSERT INTO note(kind, file, text)
SELECT 'odd', 'sample.json', 'event ' || printf('0x%x', c.event) || ' is in no formula for ' || coalesce(s.metrics, 'N/A')
  || ': its counts are pmu' || c.position || ' of aicore_pmu'
FROM counter c JOIN setting s USING (device_id)
WHERE NOT EXISTS (SELECT 1 FROM metric_event m WHERE m.metrics = s.metrics AND m.event = c.event);

-- Names of hashes; of several for one hash the first counts.
CREATE TEMP TABLE name_of AS SELECT hash, name, min(rowid) FROM hash_dic GROUP BY hash;
CREATE UNIQUE INDEX temp.name_by_hash ON name_of(hash);
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' hashes have several names: the first of each counts'
FROM (SELECT 1 FROM hash_dic GROUP BY hash HAVING count(DISTINCT name) > 1) HAVING count(*);

UPDATE api_call SET name = n.name FROM name_of n WHERE api_call.name GLOB '[0-9]*' AND n.hash = api_call.name;
UPDATE model_load SET name = n.name FROM name_of n WHERE n.hash = model_load.name;
UPDATE model_time SET name = n.name FROM name_of n WHERE n.hash = model_time.name;
UPDATE fusion_op SET name = n.name FROM name_of n WHERE n.hash = fusion_op.name;

INSERT INTO op(device_id, model_id, iteration, stream_id, task_id, batch_id, task_type, name, type, state, block_dim, time_ns)
SELECT s.device_id, d.model_id, d.iteration, d.stream_id, d.task_id, d.batch_id,
  CASE d.task_type WHEN 0 THEN 'AI_CORE' WHEN 1 THEN 'AI_CPU' WHEN 2 THEN 'AI_VECTOR_CORE' WHEN 255 THEN 'INVALID'
    ELSE CAST(d.task_type AS TEXT) END,
  coalesce(n.name, d.op_name), coalesce(t.name, d.op_type),
  CASE d.shape_type WHEN 0 THEN 'static' WHEN 1 THEN 'dynamic' ELSE CAST(d.shape_type AS TEXT) END, d.block_dim, d.time_ns
FROM source s CROSS JOIN task_desc d
LEFT JOIN temp.name_of n ON n.hash = d.op_name LEFT JOIN temp.name_of t ON t.hash = d.op_type
WHERE s.target = 'task_desc' AND d.rowid BETWEEN s.first_row AND s.last_row;
DROP TABLE name_of;

INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' operators are of a task type that is not known: it is printed as a number'
FROM task_desc WHERE task_type NOT IN (0, 1, 2, 255) HAVING count(*);

-- A signed number as the digits of its 64 bits: half of it is what fits, and ten is two times five.
INSERT INTO fusion_member
SELECT row, position, coalesce(nullif(((hash >> 1) & 9223372036854775807) / 5, 0), '') || (2 * (((hash >> 1) & 9223372036854775807) % 5) + (hash & 1))
FROM (SELECT f.rowid AS row, f.op_num, p.column1 AS position,
        pick(p.column1, f.op1, f.op2, f.op3, f.op4, f.op5, f.op6, f.op7, f.op8) AS hash
      FROM fusion_op f JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7)) p)
WHERE position < op_num;
INSERT INTO host_sch_hash
SELECT rowid, coalesce(nullif(((element >> 1) & 9223372036854775807) / 5, 0), '') || (2 * (((element >> 1) & 9223372036854775807) % 5) + (element & 1)),
  coalesce(nullif(((event >> 1) & 9223372036854775807) / 5, 0), '') || (2 * (((event >> 1) & 9223372036854775807) % 5) + (event & 1))
FROM host_sch;

-- Iterations: tag 0 begins one and 1 ends it, or, in training, 4 ends it, and 2 and 3 are its FP and BP.
CREATE TEMP TABLE point AS
SELECT s.device_id, p.model_id, p.index_id, p.tag_id, p.counter
FROM source s CROSS JOIN ts_step p
WHERE s.target = 'ts_step' AND p.rowid BETWEEN s.first_row AND s.last_row AND p.tag_id < 10000;

INSERT INTO step(device_id, model_id, iteration, start_counter, end_counter, fp_counter, bp_counter, before_counter)
SELECT device_id, model_id, index_id, coalesce(start_counter, before_counter, fp_counter, end_counter), end_counter,
  fp_counter, bp_counter, coalesce(before_counter, -1)
FROM (
  SELECT *, lag(end_counter) OVER (PARTITION BY device_id, model_id ORDER BY end_counter) AS before_counter
  FROM (
    SELECT device_id, model_id, index_id, min(counter) FILTER (WHERE tag_id = 0) AS start_counter,
      max(counter) FILTER (WHERE tag_id IN (1, 4)) AS end_counter, min(counter) FILTER (WHERE tag_id = 2) AS fp_counter,
      max(counter) FILTER (WHERE tag_id = 3) AS bp_counter
    FROM point GROUP BY device_id, model_id, index_id
  ) WHERE end_counter IS NOT NULL
) ORDER BY 4;
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' iterations have no end: they are left out'
FROM (SELECT 1 FROM point GROUP BY device_id, model_id, index_id HAVING NOT max(tag_id IN (1, 4))) HAVING count(*);
DROP TABLE point;

INSERT INTO all_reduce
SELECT s.device_id, x.id, (a.tag_id - 10000) / 2 + 1, a.counter,
  (SELECT min(b.counter) FROM ts_step b WHERE b.model_id = a.model_id AND b.index_id = a.index_id AND b.tag_id = a.tag_id + 1)
FROM source s CROSS JOIN ts_step a
JOIN step x ON x.device_id = s.device_id AND x.model_id = a.model_id AND x.iteration = a.index_id
WHERE s.target = 'ts_step' AND a.rowid BETWEEN s.first_row AND s.last_row AND a.tag_id >= 10000 AND a.tag_id % 2 = 0
ORDER BY x.id, a.tag_id;

-- An end closes the latest open start of its stream and task: the event just before it, if that is a start.
CREATE TEMP TABLE event AS
SELECT s.device_id, e.stream_id, e.task_id, e.core, e.type, e.counter, e.time_ns, e.rowid AS row,
       lag(e.type) OVER w AS before_type, lag(e.time_ns) OVER w AS before_ns, lag(e.counter) OVER w AS before_counter,
       lead(e.type) OVER w AS after_type
FROM source s CROSS JOIN hwts_event e
WHERE s.target = 'hwts_event' AND e.rowid BETWEEN s.first_row AND s.last_row AND e.type IN (0, 1)
WINDOW w AS (PARTITION BY s.device_id, e.stream_id, e.task_id ORDER BY e.rowid);

INSERT INTO unpaired
SELECT device_id, stream_id, task_id, time_ns, CASE type WHEN 0 THEN 'start without an end' ELSE 'end without a start' END
FROM event
WHERE (type = 0 AND after_type IS NOT 1) OR (type = 1 AND before_type IS NOT 0)
ORDER BY row;

INSERT INTO task(device_id, stream_id, task_id, core, start_counter, end_counter, start_ns, dur_ns)
SELECT device_id, stream_id, task_id, core, before_counter, counter, before_ns, time_ns - before_ns
FROM event WHERE type = 1 AND before_type = 0
ORDER BY device_id, before_counter, row;
DROP TABLE event;

-- The iteration in which it ends; where several models run at a time, that of the model that knows the task.
CREATE TEMP TABLE ending AS
SELECT t.id, s.id AS step_id, row_number() OVER (PARTITION BY t.id ORDER BY EXISTS (
    SELECT 1 FROM op o WHERE o.device_id = t.device_id AND o.stream_id = t.stream_id AND o.task_id = t.task_id
      AND o.model_id = m.model_id) DESC, s.end_counter) AS rank
FROM task t JOIN (SELECT DISTINCT device_id, model_id FROM step) m ON m.device_id = t.device_id
JOIN step s ON s.id = (SELECT x.id FROM step x WHERE x.device_id = t.device_id AND x.model_id = m.model_id
                         AND x.end_counter >= t.end_counter ORDER BY x.end_counter LIMIT 1);
UPDATE task SET step_id = e.step_id FROM temp.ending e WHERE e.id = task.id AND e.rank = 1;
DROP TABLE ending;

-- Task ids of a stream begin again when one is not above the one before: a batch, counted from the framework's first.
CREATE TEMP TABLE first_batch AS
SELECT device_id, stream_id, iteration, min(batch_id) AS batch_id FROM op GROUP BY device_id, stream_id, iteration;
CREATE UNIQUE INDEX temp.first_batch_of ON first_batch(device_id, stream_id, iteration);
CREATE TEMP TABLE batch AS
SELECT id, coalesce((SELECT f.batch_id FROM temp.first_batch f JOIN step s ON s.id = a.step_id
                     WHERE f.device_id = a.device_id AND f.stream_id = a.stream_id AND f.iteration = s.iteration), 0)
  + coalesce(sum(again) OVER (PARTITION BY device_id, step_id, stream_id ORDER BY id), 0) AS batch_id
FROM (SELECT id, device_id, step_id, stream_id,
        task_id <= lag(task_id) OVER (PARTITION BY device_id, step_id, stream_id ORDER BY id) AS again FROM task) a;
CREATE UNIQUE INDEX temp.batch_by_id ON batch(id);
UPDATE task SET batch_id = coalesce((SELECT batch_id FROM temp.batch b WHERE b.id = task.id), 0);
DROP TABLE batch;
DROP TABLE first_batch;

-- The operator: of its iteration and batch, else one of static shape, which has neither; that of its model first.
CREATE TEMP TABLE match AS
SELECT id, op_id FROM (
  SELECT t.id, o.id AS op_id, row_number() OVER (PARTITION BY t.id ORDER BY o.model_id IS s.model_id DESC,
    o.iteration IS s.iteration DESC, o.batch_id = t.batch_id DESC, o.id) AS rank
  FROM task t LEFT JOIN step s ON s.id = t.step_id
  CROSS JOIN op o ON o.device_id = t.device_id AND o.stream_id = t.stream_id AND o.task_id = t.task_id
    AND (o.iteration = 0 OR (o.batch_id = t.batch_id AND (s.id IS NULL OR o.iteration = s.iteration)))
) WHERE rank = 1;
CREATE UNIQUE INDEX temp.match_by_id ON match(id);
UPDATE task SET op_id = (SELECT op_id FROM temp.match m WHERE m.id = task.id);
DROP TABLE match;

-- Counters: the n-th record of a stream and task is of its n-th run.
CREATE TEMP TABLE pmu AS
SELECT s.device_id, p.stream_id, p.task_id, p.rowid AS row,
  row_number() OVER (PARTITION BY s.device_id, p.stream_id, p.task_id ORDER BY p.rowid) AS n
FROM source s CROSS JOIN aicore_pmu p
WHERE s.target = 'aicore_pmu' AND p.rowid BETWEEN s.first_row AND s.last_row;
CREATE UNIQUE INDEX temp.pmu_by_task ON pmu(device_id, stream_id, task_id, n);
UPDATE task SET pmu_row = p.row
FROM (SELECT id, device_id, stream_id, task_id,
        row_number() OVER (PARTITION BY device_id, stream_id, task_id ORDER BY id) AS n FROM task) t
JOIN temp.pmu p ON p.device_id = t.device_id AND p.stream_id = t.stream_id AND p.task_id = t.task_id AND p.n = t.n
WHERE t.id = task.id;
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' records of counters belong to no task'
FROM temp.pmu p WHERE p.row NOT IN (SELECT pmu_row FROM task WHERE pmu_row IS NOT NULL) HAVING count(*);
DROP TABLE pmu;

-- Shapes, types and formats.
CREATE TEMP TABLE slot AS
WITH part AS (
  SELECT rowid AS row, 1 AS n, t1_kind AS kind, t1_format AS format, t1_type AS type, t1_d1 AS d1, t1_d2 AS d2,
    t1_d3 AS d3, t1_d4 AS d4, t1_d5 AS d5, t1_d6 AS d6, t1_d7 AS d7, t1_d8 AS d8 FROM tensor WHERE tensor_num >= 1
  UNION ALL SELECT rowid, 2, t2_kind, t2_format, t2_type, t2_d1, t2_d2, t2_d3, t2_d4, t2_d5, t2_d6, t2_d7, t2_d8
  FROM tensor WHERE tensor_num >= 2
  UNION ALL SELECT rowid, 3, t3_kind, t3_format, t3_type, t3_d1, t3_d2, t3_d3, t3_d4, t3_d5, t3_d6, t3_d7, t3_d8
  FROM tensor WHERE tensor_num >= 3
  UNION ALL SELECT rowid, 4, t4_kind, t4_format, t4_type, t4_d1, t4_d2, t4_d3, t4_d4, t4_d5, t4_d6, t4_d7, t4_d8
  FROM tensor WHERE tensor_num >= 4
  UNION ALL SELECT rowid, 5, t5_kind, t5_format, t5_type, t5_d1, t5_d2, t5_d3, t5_d4, t5_d5, t5_d6, t5_d7, t5_d8
  FROM tensor WHERE tensor_num >= 5
)
SELECT p.row, p.n, p.kind, coalesce(t.name, p.type) AS type,
  coalesce(f.name, p.format & 255) || CASE WHEN p.format >> 8 & 65535 THEN ':' || (p.format >> 8 & 65535) ELSE '' END AS format,
  substr(CASE WHEN d1 THEN ',' || d1 ELSE '' END || CASE WHEN d2 THEN ',' || d2 ELSE '' END
    || CASE WHEN d3 THEN ',' || d3 ELSE '' END || CASE WHEN d4 THEN ',' || d4 ELSE '' END
    || CASE WHEN d5 THEN ',' || d5 ELSE '' END || CASE WHEN d6 THEN ',' || d6 ELSE '' END
    || CASE WHEN d7 THEN ',' || d7 ELSE '' END || CASE WHEN d8 THEN ',' || d8 ELSE '' END, 2) AS shape
FROM part p LEFT JOIN data_type t ON t.kind = p.type LEFT JOIN data_format f ON f.kind = p.format & 255;

CREATE INDEX temp.slot_by_row ON slot(row);

-- The records of one operator are those of its task.
CREATE TEMP TABLE of_op AS
SELECT o.id AS op_id, t.rowid AS row
FROM source s CROSS JOIN tensor t
CROSS JOIN op o ON o.device_id = s.device_id AND o.stream_id = t.stream_id AND o.task_id = t.task_id
  AND o.batch_id = t.batch_id AND o.model_id = t.model_id AND o.iteration = t.iteration
WHERE s.target = 'tensor' AND t.rowid BETWEEN s.first_row AND s.last_row;

INSERT INTO op_tensor
SELECT op_id,
  '"' || coalesce(group_concat(shape, ';') FILTER (WHERE kind = 0), '') || '"',
  coalesce(group_concat(type, ';') FILTER (WHERE kind = 0), ''), coalesce(group_concat(format, ';') FILTER (WHERE kind = 0), ''),
  '"' || coalesce(group_concat(shape, ';') FILTER (WHERE kind = 1), '') || '"',
  coalesce(group_concat(type, ';') FILTER (WHERE kind = 1), ''), coalesce(group_concat(format, ';') FILTER (WHERE kind = 1), '')
FROM (SELECT o.op_id, s.* FROM of_op o JOIN slot s ON s.row = o.row ORDER BY o.op_id, s.row, s.n)
GROUP BY op_id;
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' tensors have a type or format that is not known: it is printed as a number'
FROM slot WHERE type GLOB '[0-9]*' OR format GLOB '[0-9]*' HAVING count(*);
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' records of tensors belong to no operator'
FROM tensor WHERE rowid NOT IN (SELECT row FROM of_op) HAVING count(*);
DROP TABLE slot;
DROP TABLE of_op;

-- What must be said of the job.
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' tasks end before they start' FROM task WHERE dur_ns < 0 HAVING count(*);

INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' of ' || (SELECT count(*) FROM task) || ' tasks have no description in the data: their names are N/A'
FROM task WHERE op_id IS NULL HAVING count(*);

INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' tasks end after the last iteration: no file of an iteration has them'
FROM task WHERE step_id IS NULL AND EXISTS (SELECT 1 FROM step) HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'odd', s.file, count(*) || ' records are of a type that is not known'
FROM source s CROSS JOIN hwts_event e
WHERE s.target = 'hwts_event' AND e.rowid BETWEEN s.first_row AND s.last_row AND e.type > 3
GROUP BY s.id;

INSERT INTO meta SELECT 'inference', EXISTS (SELECT 1 FROM task) OR EXISTS (SELECT 1 FROM api_call);
INSERT INTO meta VALUES ('clock', 'monotonic clock of the host in ns; tasks: system counter of the device, brought to it');
