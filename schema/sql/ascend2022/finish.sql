-- Runs on Ascend jobs of the 2022 generation after all records are loaded: clocks, names, iterations, pairs, joins, notes.

-- Settings of the control files; the chip's defaults for missing settings.
INSERT INTO setting
SELECT device_id, chip, coalesce(counter_mhz, (SELECT counter_mhz FROM chip c WHERE c.platform = s.chip), 100),
  CASE WHEN device_counter IS NULL OR host_ns IS NULL THEN 0 ELSE device_counter END,
  CASE WHEN device_counter IS NULL OR host_ns IS NULL THEN 0 ELSE host_ns END,
  coalesce((SELECT nullif(CAST(value AS REAL), 0) FROM meta WHERE key = 'frequency_option'), aic_mhz, (SELECT aic_mhz FROM chip c WHERE c.platform = s.chip), 800),
  coalesce(aic_num, 1), metrics, llc, coalesce(pid, 0), CASE WHEN host_ns IS NOT NULL THEN device_ns END, ctrl_cpu, ai_cpu,
  EXISTS (SELECT 1 FROM source f WHERE f.device_id = s.device_id AND f.layout = 'ascend2022.acsq' AND f.records > 0)
FROM (
  SELECT d.device_id,
    CAST(json_extract(i.text, '$.platform_version') AS INTEGER) AS chip,
    CASE WHEN CAST(json_extract(i.text, '$.DeviceInfo[0].hwts_frequency') AS REAL) BETWEEN 1e-6 AND 1e6
         THEN CAST(json_extract(i.text, '$.DeviceInfo[0].hwts_frequency') AS REAL) END AS counter_mhz,
    CASE WHEN CAST(json_extract(i.text, '$.DeviceInfo[0].aic_frequency') AS REAL) BETWEEN 1e-6 AND 1e6
         THEN CAST(json_extract(i.text, '$.DeviceInfo[0].aic_frequency') AS REAL) END AS aic_mhz,
    CASE WHEN CAST(json_extract(i.text, '$.DeviceInfo[0].ai_core_num') AS INTEGER) > 0
         THEN CAST(json_extract(i.text, '$.DeviceInfo[0].ai_core_num') AS INTEGER) END AS aic_num,
    (SELECT CAST(substr(text, instr(text, 'cntvct:') + 7) AS INTEGER) FROM control c
     WHERE c.name = 'dev_start.log' AND c.device_id IS d.device_id AND instr(text, 'cntvct:')) AS device_counter,
    json_extract(i.text, '$.DeviceInfo[0].ctrl_cpu') AS ctrl_cpu, json_extract(i.text, '$.DeviceInfo[0].ai_cpu') AS ai_cpu,
    CASE WHEN json_type(i.text, '$.pid') = 'integer' OR json_extract(i.text, '$.pid') GLOB '[0-9]*'
           AND json_extract(i.text, '$.pid') NOT GLOB '*[^0-9]*' THEN CAST(json_extract(i.text, '$.pid') AS INTEGER) END AS pid,
    (SELECT CAST(substr(text, instr(text, 'clock_monotonic_raw:') + 20) AS INTEGER) FROM control c
     WHERE c.name = 'dev_start.log' AND c.device_id IS d.device_id AND instr(text, 'clock_monotonic_raw:')) AS device_ns,
    (SELECT CAST(substr(text, instr(text, 'clock_monotonic_raw:') + 20) AS INTEGER) FROM control c
     WHERE c.name = 'host_start.log' AND (c.device_id = d.device_id OR c.device_id IS NULL)
       AND instr(text, 'clock_monotonic_raw:') ORDER BY c.device_id IS NULL LIMIT 1) AS host_ns,
    (SELECT json_extract(text, '$.ai_core_metrics') FROM control c
     WHERE c.name = 'sample.json' AND (c.device_id = d.device_id OR c.device_id IS NULL)
     ORDER BY c.device_id IS NULL LIMIT 1) AS metrics,
    (SELECT json_extract(text, '$.llc_profiling') FROM control c
     WHERE c.name = 'sample.json' AND (c.device_id = d.device_id OR c.device_id IS NULL)
     ORDER BY c.device_id IS NULL LIMIT 1) AS llc
  FROM device d LEFT JOIN control i ON i.name = 'info.json' AND i.device_id = d.device_id
) s;

INSERT INTO note(kind, file, text)
SELECT 'assumed', file, what FROM (
  SELECT d.device_id, 'info.json.' || d.device_id AS file,
    'no aic_frequency: the cores are taken to run at ' || CAST(s.aic_mhz AS INTEGER) || ' MHz' AS what
  FROM device d JOIN setting s USING (device_id)
  LEFT JOIN control i ON i.name = 'info.json' AND i.device_id = d.device_id
  WHERE coalesce(CAST(json_extract(i.text, '$.DeviceInfo[0].aic_frequency') AS REAL), 0) <= 0
    AND (SELECT value FROM meta WHERE key = 'frequency_option') = '0'
    AND (EXISTS (SELECT 1 FROM aicore_pmu) OR EXISTS (SELECT 1 FROM aicore_sample) OR EXISTS (SELECT 1 FROM aiv_sample))
  UNION ALL
  SELECT d.device_id, n.name, 'missing; ' || n.use
  FROM device d JOIN (SELECT 'sample.json' AS name, 'the counters of tasks have no names' AS use
                      UNION ALL SELECT 'start_info', 'the time of day of the collection is not known'
                      UNION ALL SELECT 'end_info', 'the collection may have been cut off') n
  WHERE NOT EXISTS (SELECT 1 FROM control c WHERE c.name = n.name AND (c.device_id = d.device_id OR c.device_id IS NULL))
);

-- "0x8,0xa,...": the position of each event. Texts that are not hexadecimal numbers are skipped.
INSERT OR IGNORE INTO counter
SELECT device_id, position, hex_int(word) FROM (
  SELECT d.device_id, e.key AS position, lower(trim(e.value)) AS word
  FROM device d CROSS JOIN json_each((SELECT '[' || replace(json_quote(CAST(json_extract(text, '$.ai_core_profiling_events') AS TEXT)), ',', '","') || ']'
    FROM control c WHERE c.name = 'sample.json' AND (c.device_id = d.device_id OR c.device_id IS NULL)
    ORDER BY c.device_id IS NULL LIMIT 1)) e)
WHERE word GLOB '0x[0-9a-f]*' AND length(word) <= 6 AND substr(word, 3) NOT GLOB '*[^0-9a-f]*' AND position < 64;
-- of the vector cores, of which only samples have a report
INSERT OR IGNORE INTO aiv_counter
SELECT d.device_id, e.key, hex_int(e.value)
FROM device d JOIN json_each((SELECT '[' || replace(json_quote(json_extract(text, '$.aiv_profiling_events')), ',', '","') || ']' FROM control c
  WHERE c.name = 'sample.json' AND (c.device_id = d.device_id OR c.device_id IS NULL) AND json_type(text, '$.aiv_profiling_events') = 'text'
  ORDER BY c.device_id IS NULL LIMIT 1)) e
WHERE e.key < 8 AND EXISTS (SELECT 1 FROM aiv_sample);
-- of the L2 cache
INSERT OR IGNORE INTO l2_counter
SELECT d.device_id, e.key, hex_int(trim(e.value))
FROM device d JOIN json_each((SELECT '[' || replace(json_quote(json_extract(text, '$.l2CacheTaskProfilingEvents')), ',', '","') || ']' FROM control c
  WHERE c.name = 'sample.json' AND (c.device_id = d.device_id OR c.device_id IS NULL) AND json_type(text, '$.l2CacheTaskProfilingEvents') = 'text'
  ORDER BY c.device_id IS NULL LIMIT 1)) e
WHERE e.key < 8 AND lower(trim(e.value)) GLOB '0x[0-9a-f][0-9a-f]';

INSERT INTO note(kind, file, text)
SELECT 'odd', 'sample.json', 'event ' || printf('0x%x', c.event) || ' is in no formula for ' || coalesce(s.metrics, 'N/A')
  || ': its counts are pmu' || c.position || ' of ' || CASE WHEN EXISTS (SELECT 1 FROM aicore_sample) THEN 'aicore_sample' ELSE 'aicore_pmu' END
FROM counter c JOIN setting s USING (device_id)
WHERE NOT EXISTS (SELECT 1 FROM metric_event m WHERE m.metrics = s.metrics AND m.event = c.event);

-- Names of hashes; the last name of a hash counts.
-- @when (SELECT count(*) FROM hash_dic) > (SELECT count(DISTINCT hash) FROM hash_dic)
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' hashes have several names: the last of each counts'
FROM (SELECT 1 FROM hash_dic GROUP BY hash HAVING count(DISTINCT name) > 1) HAVING count(*);
-- @end

UPDATE api_call SET name = coalesce((SELECT h.name FROM hash_dic h WHERE h.hash = api_call.name ORDER BY h.rowid DESC LIMIT 1), name)
WHERE name GLOB '[0-9]*';
UPDATE model_load SET name = coalesce((SELECT h.name FROM hash_dic h WHERE h.hash = model_load.name ORDER BY h.rowid DESC LIMIT 1), name);
UPDATE model_time SET name = coalesce((SELECT h.name FROM hash_dic h WHERE h.hash = model_time.name ORDER BY h.rowid DESC LIMIT 1), name);
UPDATE fusion_op SET name = coalesce((SELECT h.name FROM hash_dic h WHERE h.hash = fusion_op.name ORDER BY h.rowid DESC LIMIT 1), name);

INSERT INTO op(device_id, model_id, iteration, stream_id, task_id, batch_id, task_type, name, type, state, block_dim, time_ns, type_hash)
SELECT s.device_id, d.model_id, d.iteration, d.stream_id, d.task_id, d.batch_id,
  CASE d.task_type WHEN 0 THEN 'AI_CORE' WHEN 1 THEN 'AI_CPU' WHEN 2 THEN 'AI_VECTOR_CORE' WHEN 3 THEN 'WRITE_BACK' WHEN 4 THEN 'MIX_AIC'
    WHEN 5 THEN 'MIX_AIV' WHEN 255 THEN 'INVALID'
    ELSE CAST(d.task_type AS TEXT) END,
  coalesce((SELECT h.name FROM hash_dic h WHERE h.hash = d.op_name ORDER BY h.rowid DESC LIMIT 1), d.op_name),
  coalesce((SELECT h.name FROM hash_dic h WHERE h.hash = d.op_type ORDER BY h.rowid DESC LIMIT 1), d.op_type),
  CASE d.shape_type WHEN 0 THEN 'static' WHEN 1 THEN 'dynamic' ELSE CAST(d.shape_type AS TEXT) END, d.block_dim, d.time_ns,
  CASE WHEN d.op_type IN (SELECT h.hash FROM hash_dic h) THEN d.op_type END
FROM source s CROSS JOIN task_desc d
WHERE s.target = 'task_desc' AND d.rowid BETWEEN s.first_row AND s.last_row;

INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' operators are of a task type that is not known: it is printed as a number'
FROM task_desc WHERE task_type NOT IN (0, 1, 2, 3, 4, 5, 255) HAVING count(*);

-- The decimal digits of a hash, read as 64 unsigned bits.
INSERT INTO fusion_member
SELECT f.rowid, p.value, printf('%u', pick(p.value, f.op1, f.op2, f.op3, f.op4, f.op5, f.op6, f.op7, f.op8))
FROM fusion_op f CROSS JOIN numbers(min(f.op_num, 8)) p;
INSERT INTO host_sch_hash
SELECT rowid, printf('%u', element), printf('%u', event) FROM host_sch;

-- Iterations: tag 0 begins an iteration and tag 1 ends it. In training tag 4 ends it and begins the next, and tags 2 and 3 are its
-- FP and BP. What ends before the first tag 0 of its model is no iteration.
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
      min(min(counter) FILTER (WHERE tag_id = 0)) OVER (PARTITION BY device_id, model_id) AS begun_counter,
      max(counter) FILTER (WHERE tag_id IN (1, 4)) AS end_counter, min(counter) FILTER (WHERE tag_id = 2) AS fp_counter,
      max(counter) FILTER (WHERE tag_id = 3) AS bp_counter
    FROM point GROUP BY device_id, model_id, index_id
  ) WHERE end_counter > begun_counter
) ORDER BY 4;
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' iterations have no mark of their begin or end: they are left out'
FROM (SELECT DISTINCT device_id, model_id, index_id FROM point EXCEPT SELECT device_id, model_id, iteration FROM step) HAVING count(*);
DROP TABLE point;

CREATE TEMP TABLE ring AS
SELECT s.device_id, p.model_id, p.index_id, p.tag_id, p.counter
FROM source s CROSS JOIN ts_step p
WHERE s.target = 'ts_step' AND p.rowid BETWEEN s.first_row AND s.last_row AND p.tag_id >= 10000;
CREATE INDEX temp.ring_by_tag ON ring(device_id, model_id, index_id, tag_id, counter);
INSERT INTO all_reduce
SELECT a.device_id, x.id, (a.tag_id - 10000) / 2 + 1, a.counter,
  (SELECT min(b.counter) FROM ring b WHERE b.device_id = a.device_id AND b.model_id = a.model_id AND b.index_id = a.index_id
     AND b.tag_id = a.tag_id + 1)
FROM step x CROSS JOIN ring a ON a.device_id = x.device_id AND a.model_id = x.model_id AND a.index_id = x.iteration
WHERE a.tag_id % 2 = 0
ORDER BY x.id, a.tag_id;
DROP TABLE ring;

-- Tasks in order of start. An end closes the latest open start of its stream and task. A task belongs to the iteration in
-- which the task ends. When several models run at a time, the iteration is that of a model (of the first 64) with this task.
CREATE TEMP TABLE file AS
SELECT target, device_id, first_row, last_row FROM source WHERE target IN ('hwts_event', 'aicore_pmu') AND records > 0 ORDER BY first_row;
CREATE TEMP TABLE knows AS
SELECT device_id, stream_id, task_id, model_id FROM (
  SELECT *, row_number() OVER (PARTITION BY device_id, stream_id, task_id ORDER BY model_id) AS n
  FROM (SELECT DISTINCT device_id, stream_id, task_id, model_id FROM op
        WHERE (SELECT count(*) FROM (SELECT DISTINCT device_id, model_id FROM step)) > 1
          AND (device_id, model_id) IN (SELECT device_id, model_id FROM step))
) WHERE n <= 64;
CREATE INDEX temp.knows_by_task ON knows(device_id, stream_id, task_id, model_id);
CREATE VIRTUAL TABLE temp.pair USING start_end_pairs(
  SELECT e.rowid, e.type, f.device_id, e.stream_id, e.task_id FROM temp.file f CROSS JOIN hwts_event e
  WHERE f.target = 'hwts_event' AND e.rowid BETWEEN f.first_row AND f.last_row AND e.type IN (0, 1));
-- The tasks that the AI CPU recorded are in the order of the others, as their times are computed from ms.
CREATE TEMP TABLE run AS
SELECT e.device_id, e.unit, CASE e.unit WHEN 1 THEN e.row END AS node_row, e.stream_id, e.task_id, e.core, e.start_counter, e.end_counter, e.start_ns, e.end_ns,
  coalesce(
    (SELECT s.id FROM temp.knows k CROSS JOIN step s
     ON s.id = (SELECT x.id FROM step x WHERE x.device_id = e.device_id AND x.model_id = k.model_id AND x.end_counter >= e.end_counter
                ORDER BY x.end_counter LIMIT 1)
     WHERE k.device_id = e.device_id AND k.stream_id = e.stream_id AND k.task_id = e.task_id
     ORDER BY s.end_counter, s.model_id LIMIT 1),
    (SELECT x.id FROM step x WHERE x.device_id = e.device_id AND x.end_counter >= e.end_counter
     ORDER BY x.end_counter, x.model_id LIMIT 1)) AS step_id
FROM (
  SELECT p.device_id, 0 AS unit, e.stream_id, e.task_id, e.core, b.counter AS start_counter, e.counter AS end_counter,
    b.time_ns AS start_ns, e.time_ns AS end_ns, e.rowid AS row
  FROM temp.pair p CROSS JOIN hwts_event e ON e.rowid = p.end_row CROSS JOIN hwts_event b ON b.rowid = p.start_row
  UNION ALL
  SELECT s.device_id, 1, a.stream_id, a.task_id, NULL, a.start_tick, a.end_tick, a.start_ns, a.start_ns + a.dur_ns, a.rowid
  FROM source s CROSS JOIN aicpu_node a
  WHERE s.target = 'aicpu_node' AND a.rowid BETWEEN s.first_row AND s.last_row AND a.start_tick <> 0 AND a.end_tick <> 0
) e JOIN setting s ON s.device_id = e.device_id
ORDER BY e.device_id, CASE e.unit
    WHEN 0 THEN (e.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000000000.0 + s.host_ns
    ELSE ((e.start_counter - s.device_counter) / (s.counter_mhz * 1000000.0) * 1000.0 + s.host_ns / 1e9 * 1000.0) * 1000000.0 END, e.unit, e.row;
DROP TABLE temp.pair;

-- Unpaired starts and ends; searched only when the numbers show that there are any.
-- @when (SELECT count(*) FROM hwts_event WHERE type IN (0, 1)) > 2 * (SELECT count(*) FROM temp.run)
INSERT INTO unpaired
SELECT device_id, stream_id, task_id, time_ns, CASE type WHEN 0 THEN 'start without an end' ELSE 'end without a start' END
FROM (
  SELECT f.device_id, e.stream_id, e.task_id, e.type, e.time_ns, e.rowid AS row, lag(e.type) OVER w AS before_type, lead(e.type) OVER w AS after_type
  FROM temp.file f CROSS JOIN hwts_event e
  WHERE f.target = 'hwts_event' AND e.rowid BETWEEN f.first_row AND f.last_row AND e.type IN (0, 1)
  WINDOW w AS (PARTITION BY f.device_id, e.stream_id, e.task_id ORDER BY e.rowid)
)
WHERE (type = 0 AND after_type IS NOT 1) OR (type = 1 AND before_type IS NOT 0)
ORDER BY row;
-- @end

-- Batches: a batch begins when the task id of a stream does not exceed the previous task id. Batches count from the
-- framework's first batch. Operators: the operator of the task's iteration and batch, else an operator of static shape, which
-- has neither. Operators of the task's model come first; otherwise the best of the first 64 is taken.
-- Counters: the n-th record of a stream and task belongs to the n-th run of the task.
CREATE TEMP TABLE first_batch AS
SELECT device_id, stream_id, iteration, min(batch_id) AS batch_id FROM op WHERE EXISTS (SELECT 1 FROM step) GROUP BY device_id, stream_id, iteration;
CREATE UNIQUE INDEX temp.first_batch_by_iteration ON first_batch(device_id, stream_id, iteration);
-- of tasks in no iteration the first of the batch, else the first of static shape
CREATE VIRTUAL TABLE temp.of_batch USING firsts(
  SELECT device_id, stream_id, task_id, batch_id, id FROM op
  WHERE EXISTS (SELECT 1 FROM temp.run WHERE step_id IS NULL) ORDER BY id);
CREATE VIRTUAL TABLE temp.static USING firsts(
  SELECT device_id, stream_id, task_id, id FROM op
  WHERE iteration = 0 AND EXISTS (SELECT 1 FROM temp.run WHERE step_id IS NULL) ORDER BY id);
CREATE VIRTUAL TABLE temp.batched USING batched_runs(
  (SELECT p.rowid, f.device_id, p.stream_id, p.task_id FROM temp.file f CROSS JOIN aicore_pmu p
   WHERE f.target = 'aicore_pmu' AND p.rowid BETWEEN f.first_row AND f.last_row),
  (SELECT r.rowid, r.device_id, r.stream_id + r.unit * 4294967296, r.task_id, CASE r.unit WHEN 0 THEN r.step_id END, coalesce(b.batch_id, 0)
   FROM temp.run r LEFT JOIN step s ON s.id = r.step_id
   LEFT JOIN temp.first_batch b ON b.device_id = r.device_id AND b.stream_id = r.stream_id AND b.iteration = s.iteration ORDER BY r.rowid));
INSERT INTO task(device_id, stream_id, task_id, batch_id, core, start_counter, end_counter, start_ns, dur_ns, step_id, op_id, pmu_row, unit,
  node_row)
SELECT t.device_id, t.stream_id, t.task_id, n.batch_id, t.core, t.start_counter, t.end_counter, t.start_ns, t.end_ns - t.start_ns, t.step_id,
  CASE WHEN t.step_id IS NULL THEN coalesce(
    (SELECT id FROM temp.of_batch o WHERE o.device_id = t.device_id AND o.stream_id = t.stream_id AND o.task_id = t.task_id AND o.batch_id = n.batch_id),
    (SELECT id FROM temp.static o WHERE o.device_id = t.device_id AND o.stream_id = t.stream_id AND o.task_id = t.task_id))
  ELSE coalesce(
    (SELECT min(o.id) FROM op o WHERE o.device_id = t.device_id AND o.stream_id = t.stream_id AND o.task_id = t.task_id
       AND o.iteration = s.iteration AND o.batch_id = n.batch_id AND o.model_id = s.model_id AND (t.unit = 0 OR o.task_type = 'AI_CPU')),
    (SELECT min(o.id) FROM op o WHERE o.device_id = t.device_id AND o.stream_id = t.stream_id AND o.task_id = t.task_id
       AND o.iteration = 0 AND o.batch_id = n.batch_id AND o.model_id = s.model_id AND (t.unit = 0 OR o.task_type = 'AI_CPU')),
    (SELECT id FROM (SELECT o.id, o.model_id IS s.model_id AS same_model, o.iteration IS s.iteration AS same_iteration,
         o.batch_id = n.batch_id AS same_batch FROM op o
       WHERE o.device_id = t.device_id AND o.stream_id = t.stream_id AND o.task_id = t.task_id AND o.iteration IN (0, s.iteration)
         AND (o.iteration = 0 OR o.batch_id = n.batch_id OR t.unit = 1) AND (t.unit = 0 OR o.task_type = 'AI_CPU') LIMIT 64)
     ORDER BY same_model DESC, same_iteration DESC, same_batch DESC, id LIMIT 1))
  END, nullif(n.counter_row, 0), t.unit, t.node_row
FROM temp.batched n CROSS JOIN temp.run t ON t.rowid = n.row LEFT JOIN step s ON s.id = t.step_id ORDER BY n.row;
-- Tasks that are in no export.
CREATE TEMP TABLE partial AS
SELECT s.device_id, c.exports FROM setting s JOIN chip c ON c.platform = s.chip
WHERE c.exports = 'none' OR c.exports = 'described' AND EXISTS (SELECT 1 FROM op)
  AND (EXISTS (SELECT 1 FROM op WHERE task_type <> 'AI_CORE') OR EXISTS (SELECT 1 FROM task WHERE op_id IS NULL));
-- @when EXISTS (SELECT 1 FROM temp.partial)
UPDATE task SET unit = NULL
WHERE unit = 0 AND device_id IN (SELECT device_id FROM temp.partial)
  AND ((SELECT o.task_type = 'AI_CORE' OR x.stars AND o.task_type IN ('AI_VECTOR_CORE', 'MIX_AIC', 'MIX_AIV')
         FROM op o CROSS JOIN setting x WHERE o.id = task.op_id AND x.device_id = task.device_id) IS NOT 1 OR (SELECT exports FROM temp.partial p WHERE p.device_id = task.device_id) = 'none');
INSERT INTO note(kind, text)
SELECT 'export', count(*) || ' of ' || (SELECT count(*) FROM task) || ' tasks are in no export, as on a chip ' || c.name || ' '
  || CASE c.exports WHEN 'none' THEN 'no task of the scheduler is' ELSE 'only described operators of the AI core are' END || '; show has them'
FROM task t JOIN setting s USING (device_id) JOIN chip c ON c.platform = s.chip WHERE t.unit IS NULL GROUP BY c.name;
-- @end
DROP TABLE partial;
INSERT INTO note(kind, text)
SELECT 'odd', n || ' records of counters belong to no task'
FROM (SELECT (SELECT count(*) FROM aicore_pmu) - (SELECT count(pmu_row) FROM task) AS n) WHERE n > 0;
DROP TABLE batched;
DROP TABLE static;
DROP TABLE of_batch;
DROP TABLE first_batch;
DROP TABLE run;
DROP TABLE knows;
DROP TABLE file;

-- Operators by turns, of which no iteration has more than its tasks.
CREATE VIRTUAL TABLE temp.task_turn USING batched_runs(
  (SELECT 0, 0, 0, 0 WHERE 0), (SELECT id, device_id, stream_id, task_id, coalesce(step_id, 0), 0 FROM task WHERE unit IS NOT NULL ORDER BY id));
CREATE VIRTUAL TABLE temp.turn USING batched_runs(
  (SELECT 0, 0, 0, 0 WHERE 0), (SELECT id, device_id, stream_id, task_id, 0, 0 FROM op ORDER BY device_id, time_ns, id));
INSERT OR IGNORE INTO op_turn
SELECT o.device_id, o.stream_id, o.task_id, t.batch_id, o.id
FROM temp.turn t CROSS JOIN op o ON o.id = t.row WHERE t.batch_id <= (SELECT max(batch_id) FROM temp.task_turn);
DROP TABLE turn;
DROP TABLE task_turn;
-- @when EXISTS (SELECT 1 FROM op WHERE iteration <> 0)
INSERT OR IGNORE INTO op_last SELECT device_id, stream_id, task_id, batch_id, task_type, id FROM op ORDER BY id DESC;
-- @end

-- Shapes, types and formats. The records of an operator are those of its task; equal records become text once.
CREATE VIRTUAL TABLE temp.alike USING alike_tensors(
  SELECT t.rowid, s.device_id, tensor_num, t1_kind, t1_format, t1_type, t1_d1, t1_d2, t1_d3, t1_d4, t1_d5, t1_d6, t1_d7, t1_d8,
    t2_kind, t2_format, t2_type, t2_d1, t2_d2, t2_d3, t2_d4, t2_d5, t2_d6, t2_d7, t2_d8,
    t3_kind, t3_format, t3_type, t3_d1, t3_d2, t3_d3, t3_d4, t3_d5, t3_d6, t3_d7, t3_d8,
    t4_kind, t4_format, t4_type, t4_d1, t4_d2, t4_d3, t4_d4, t4_d5, t4_d6, t4_d7, t4_d8,
    t5_kind, t5_format, t5_type, t5_d1, t5_d2, t5_d3, t5_d4, t5_d5, t5_d6, t5_d7, t5_d8
  FROM source s CROSS JOIN tensor t WHERE s.target = 'tensor' AND t.rowid BETWEEN s.first_row AND s.last_row);
CREATE TEMP TABLE of_op AS
SELECT o.id AS op_id, t.rowid AS row, a.first_row AS alike
FROM temp.alike a CROSS JOIN tensor t ON t.rowid = a.row
LEFT JOIN op o ON o.id = (SELECT min(x.id) FROM op x WHERE x.device_id = a.device_id AND x.stream_id = t.stream_id
  AND x.task_id = t.task_id AND x.batch_id = t.batch_id AND x.model_id = t.model_id AND x.iteration = t.iteration);
DROP TABLE alike;
CREATE TEMP TABLE slot AS
WITH kind AS (
  SELECT DISTINCT alike AS row FROM temp.of_op
), part AS (
  SELECT kind.row, 1 AS n, t1_kind AS kind, t1_format AS format, t1_type AS type, t1_d1 AS d1, t1_d2 AS d2,
    t1_d3 AS d3, t1_d4 AS d4, t1_d5 AS d5, t1_d6 AS d6, t1_d7 AS d7, t1_d8 AS d8 FROM kind JOIN tensor t ON t.rowid = kind.row WHERE tensor_num >= 1
  UNION ALL SELECT kind.row, 2, t2_kind, t2_format, t2_type, t2_d1, t2_d2, t2_d3, t2_d4, t2_d5, t2_d6, t2_d7, t2_d8
  FROM kind JOIN tensor t ON t.rowid = kind.row WHERE tensor_num >= 2
  UNION ALL SELECT kind.row, 3, t3_kind, t3_format, t3_type, t3_d1, t3_d2, t3_d3, t3_d4, t3_d5, t3_d6, t3_d7, t3_d8
  FROM kind JOIN tensor t ON t.rowid = kind.row WHERE tensor_num >= 3
  UNION ALL SELECT kind.row, 4, t4_kind, t4_format, t4_type, t4_d1, t4_d2, t4_d3, t4_d4, t4_d5, t4_d6, t4_d7, t4_d8
  FROM kind JOIN tensor t ON t.rowid = kind.row WHERE tensor_num >= 4
  UNION ALL SELECT kind.row, 5, t5_kind, t5_format, t5_type, t5_d1, t5_d2, t5_d3, t5_d4, t5_d5, t5_d6, t5_d7, t5_d8
  FROM kind JOIN tensor t ON t.rowid = kind.row WHERE tensor_num >= 5
)
SELECT p.row, p.n, p.kind, coalesce(t.name, p.type) AS type,
  coalesce(f.name, p.format & 255) || CASE WHEN p.format >> 8 & 65535 THEN ':' || (p.format >> 8 & 65535) ELSE '' END AS format,
  substr(CASE WHEN d1 THEN ',' || d1 ELSE '' END || CASE WHEN d2 THEN ',' || d2 ELSE '' END
    || CASE WHEN d3 THEN ',' || d3 ELSE '' END || CASE WHEN d4 THEN ',' || d4 ELSE '' END
    || CASE WHEN d5 THEN ',' || d5 ELSE '' END || CASE WHEN d6 THEN ',' || d6 ELSE '' END
    || CASE WHEN d7 THEN ',' || d7 ELSE '' END || CASE WHEN d8 THEN ',' || d8 ELSE '' END, 2) AS shape
FROM part p LEFT JOIN data_type t ON t.kind = p.type LEFT JOIN data_format f ON f.kind = p.format & 255;
CREATE TEMP TABLE written(
  row INTEGER PRIMARY KEY, input_shapes TEXT, input_types TEXT, input_formats TEXT, output_shapes TEXT, output_types TEXT, output_formats TEXT
);
INSERT INTO temp.written
SELECT row, group_concat(shape, ';') FILTER (WHERE kind = 0), group_concat(type, ';') FILTER (WHERE kind = 0),
  group_concat(format, ';') FILTER (WHERE kind = 0), group_concat(shape, ';') FILTER (WHERE kind = 1),
  group_concat(type, ';') FILTER (WHERE kind = 1), group_concat(format, ';') FILTER (WHERE kind = 1)
FROM (SELECT * FROM temp.slot ORDER BY row, n) GROUP BY row;
INSERT OR IGNORE INTO op_tensor
SELECT o.op_id, '"' || trim(coalesce(w.input_shapes, ''), ';') || '"', coalesce(w.input_types, ''), coalesce(w.input_formats, ''),
  '"' || trim(coalesce(w.output_shapes, ''), ';') || '"', coalesce(w.output_types, ''), coalesce(w.output_formats, '')
FROM temp.of_op o CROSS JOIN temp.written w ON w.row = o.alike WHERE o.op_id IS NOT NULL;
-- more than five tensors need several records; the first twenty records become text
-- @when (SELECT count(op_id) FROM temp.of_op) > (SELECT count(*) FROM op_tensor)
REPLACE INTO op_tensor
SELECT op_id, '"' || trim(coalesce(group_concat(nullif(input_shapes, ''), ';'), ''), ';') || '"', coalesce(group_concat(input_types, ';'), ''),
  coalesce(group_concat(input_formats, ';'), ''), '"' || trim(coalesce(group_concat(nullif(output_shapes, ''), ';'), ''), ';') || '"',
  coalesce(group_concat(output_types, ';'), ''), coalesce(group_concat(output_formats, ';'), '')
FROM (
  SELECT o.op_id, w.*
  FROM (SELECT *, row_number() OVER (PARTITION BY op_id ORDER BY row) AS n FROM temp.of_op WHERE op_id IS NOT NULL) o
  CROSS JOIN temp.written w ON w.row = o.alike
  WHERE o.n <= 20 ORDER BY o.op_id, o.row
) GROUP BY op_id HAVING count(*) > 1;
-- equal operators have the same tensors
-- @end
-- operators alike have the same tensors
INSERT OR IGNORE INTO op_tensor
SELECT o.id, w.input_shapes, w.input_types, w.input_formats, w.output_shapes, w.output_types, w.output_formats
FROM op o CROSS JOIN op_tensor w ON w.op_id = (SELECT min(x.id) FROM op x WHERE x.device_id = o.device_id AND x.stream_id = o.stream_id
  AND x.task_id = o.task_id AND x.batch_id = o.batch_id AND x.model_id = o.model_id AND x.iteration = o.iteration);
INSERT INTO note(kind, text)
SELECT 'odd', total_int(odd * (SELECT count(DISTINCT row) FROM temp.of_op o WHERE o.alike = s.row))
  || ' tensors have a type or format that is not known: it is printed as a number'
FROM (SELECT row, count(*) AS odd FROM temp.slot WHERE type GLOB '[0-9]*' OR format GLOB '[0-9]*' GROUP BY row) s HAVING count(*);
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' records of tensors belong to no operator' FROM temp.of_op WHERE op_id IS NULL HAVING count(*);
DROP TABLE slot;
DROP TABLE written;
DROP TABLE of_op;

-- Notes about the job.
INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' tasks end before they start' FROM task WHERE dur_ns < 0 HAVING count(*);

INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' of ' || (SELECT count(*) FROM task WHERE unit IS NOT 1) || ' tasks have no description in the data: their names are N/A'
FROM task WHERE op_id IS NULL AND unit IS NOT 1 HAVING count(*);

INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' tasks end after the last iteration: no file of an iteration has them'
FROM task WHERE step_id IS NULL AND EXISTS (SELECT 1 FROM step) HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'odd', s.file, count(*) || ' records are of a type that is not known'
FROM source s CROSS JOIN hwts_event e
WHERE s.target = 'hwts_event' AND e.rowid BETWEEN s.first_row AND s.last_row AND e.type > 3
GROUP BY s.id;

INSERT INTO note(kind, text)
SELECT 'assumed', 'times of ' || target || ' of version 2.0 are taken for ns since the start of the device'
FROM source WHERE layout IN ('ascend2022.hbm_v2', 'ascend2022.llc_v2') AND records > 0 GROUP BY target;

INSERT INTO meta SELECT 'inference', EXISTS (SELECT 1 FROM task) OR EXISTS (SELECT 1 FROM step) OR EXISTS (SELECT 1 FROM api_call) OR EXISTS (SELECT 1 FROM aicore_sample)
  OR EXISTS (SELECT 1 FROM aiv_sample);
INSERT INTO meta VALUES ('clock', 'monotonic clock of the host in ns; tasks: system counter of the device, brought to it');
