-- A group is a device. Its steps are iterations where they are recorded, of one model, and do not overlap; else the whole collection is one step.
-- Where the user chose, only chosen iterations are steps, of any model.
CREATE TEMP TABLE op_class(k1 INTEGER, k2 INTEGER, k3 INTEGER, k4 INTEGER, class INTEGER);
CREATE TEMP TABLE type_class(hash INTEGER PRIMARY KEY, class INTEGER, converts INTEGER);
INSERT INTO temp.type_class
SELECT text_hash(t.type), min(c.class), max(c.converts)
FROM (SELECT DISTINCT type FROM op) t JOIN temp.operator_class c ON c.family = 'ascend' AND lower(t.type) GLOB c.pattern GROUP BY 1;

CREATE TEMP TABLE device_track AS SELECT DISTINCT device_id AS track FROM task WHERE start_ns IS NOT NULL;
CREATE TEMP TABLE range(track INTEGER, id INTEGER PRIMARY KEY, start_ns INTEGER, end_ns INTEGER, iteration INTEGER, model_id INTEGER);
INSERT INTO temp.range
SELECT x.device_id AS track, row_number() OVER (ORDER BY x.device_id, x.end_counter) + 1000000 AS id,
  s.host_ns + CAST(round((x.start_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) AS start_ns,
  s.host_ns + CAST(round((x.end_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) AS end_ns, x.iteration, x.model_id
FROM (SELECT *, count(*) OVER (PARTITION BY device_id) AS steps, count(*) OVER (PARTITION BY device_id, model_id) AS of_model
      FROM main.step WHERE end_counter > start_counter) x
JOIN setting s ON s.device_id = x.device_id CROSS JOIN temp.choice c WHERE c.chosen OR x.steps = x.of_model;
DELETE FROM temp.range WHERE track IN (SELECT r.track FROM temp.range r JOIN temp.range n ON n.track = r.track AND n.id = r.id + 1 AND n.start_ns < r.end_ns);
DELETE FROM temp.range WHERE EXISTS (SELECT 1 FROM temp.choice c WHERE range.model_id IS NOT coalesce(c.model_id, range.model_id) OR iteration IS NOT coalesce(c.step, iteration));
DELETE FROM temp.device_track WHERE (SELECT chosen FROM temp.choice) AND track NOT IN (SELECT track FROM temp.range);

-- The calls that launched tasks, where the runtime's calls are recorded: of up to ten tasks each.
CREATE TEMP TABLE launch(stream_id INTEGER, task_id INTEGER, batch_id INTEGER, start_ns INTEGER);
INSERT INTO temp.launch
SELECT stream_id, pick(n.value, task1_id, task2_id, task3_id, task4_id, task5_id, task6_id, task7_id, task8_id, task9_id, task10_id),
  pick(n.value, task1_batch, task2_batch, task3_batch, task4_batch, task5_batch, task6_batch, task7_batch, task8_batch, task9_batch, task10_batch), start_ns
FROM runtime_api r CROSS JOIN numbers(min(r.task_num, 10)) n WHERE (SELECT count(*) FROM temp.device_track) = 1;
CREATE INDEX temp.launch_by_task ON launch(stream_id, task_id, batch_id);
