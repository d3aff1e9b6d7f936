-- An inference that lost tasks took longer than its tasks say: it is no sample. Of a chosen model, all that follows is its own.
CREATE TEMP TABLE left_out AS SELECT p.device_id, coalesce(p.model, '') AS model, coalesce(p.model_id, -1) AS model_id, coalesce(p.current_pic, -1) AS current_pic
FROM temp.choice c JOIN partial_inference p ON c.model_id IS NULL OR p.model_id = c.model_id;

-- The steps of a job of a board are its inferences: all files of one identity. A group is a model on a device. What is summed up by stream
-- (--by stream) has the stream in the key.
CREATE TEMP TABLE step_file AS
SELECT s.id, s.target, s.first_row, s.last_row, s.device_id, s.model, s.model_id, s.net_id, s.current_pic, s.stream_id,
  CASE (SELECT grouping FROM temp.choice) WHEN 'stream' THEN s.stream_id + 1 << 32 ELSE 0 END AS stream_key,
  CAST(dense_rank() OVER (ORDER BY s.device_id, s.model, s.model_id) AS INTEGER) AS grp,
  CAST(dense_rank() OVER (ORDER BY s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic,
    CASE WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') THEN s.stream_id END, CASE WHEN s.model IS NULL THEN s.id END) AS INTEGER) AS step
FROM temp.choice c JOIN source s ON c.model_id IS NULL OR s.model_id = c.model_id JOIN device d ON d.device_id = s.device_id
WHERE s.target IN ('aicore_task', 'aicpu_task') AND s.records > 0 AND d.frequency_mhz IS NOT NULL
  AND (s.device_id, coalesce(s.model, ''), coalesce(s.model_id, -1), coalesce(s.current_pic, -1)) NOT IN (SELECT * FROM temp.left_out);
CREATE INDEX temp.step_file_by_group ON step_file(grp);

-- Rows next to each other that are of one group and stream: inferences of several models may take turns in a file of the board.
CREATE TEMP TABLE step_run AS
SELECT target, grp, device_id, stream_id, max(net_id) AS net_id, min(first_row) AS first_row, max(last_row) AS last_row
FROM (SELECT *, total(begins) OVER w AS number
      FROM (SELECT *, grp <> lag(grp) OVER w OR stream_id IS NOT lag(stream_id) OVER w OR first_row <> lag(last_row) OVER w + 1 AS begins
            FROM temp.step_file WINDOW w AS (PARTITION BY target ORDER BY first_row))
      WINDOW w AS (PARTITION BY target ORDER BY first_row))
GROUP BY target, number;
CREATE INDEX temp.step_run_by_group ON step_run(grp);

CREATE TEMP TABLE type_class AS
SELECT type, coalesce((SELECT min(class) FROM temp.operator_class c WHERE c.family = 'svp' AND lower(type) GLOB c.pattern), 1) AS class,
  EXISTS (SELECT 1 FROM temp.operator_class c WHERE c.family = 'svp' AND c.converts AND lower(type) GLOB c.pattern) AS converts
FROM (SELECT DISTINCT type FROM layer WHERE type IS NOT NULL);
CREATE UNIQUE INDEX temp.type_class_by_type ON type_class(type);

-- A fused task is of the lowest class of its layers: one matrix layer makes it a matrix task. Tasks of the AI CPU (k4 = 1) are of class 3.
CREATE TEMP TABLE op_class AS
SELECT g.grp AS k1, l.task_id AS k2, CAST(coalesce(g.stream_key, l.seg_id + 1 << 32) + max(l.seg_id, 0) AS INTEGER) AS k3, CAST(l.seg_id = -1 AS INTEGER) AS k4,
  CASE l.seg_id WHEN -1 THEN 3 ELSE min(coalesce(c.class, 1)) END AS class, min(coalesce(c.converts, 0)) AS converts
FROM (SELECT DISTINCT grp, net_id, stream_key FROM temp.step_file) g JOIN layer l ON l.net_id = g.net_id LEFT JOIN temp.type_class c ON c.type = l.type
GROUP BY g.grp, l.task_id, 3, l.seg_id;
CREATE UNIQUE INDEX temp.op_class_by_key ON op_class(k1, k2, k3, k4);

-- An inference is one window of time.
CREATE TEMP TABLE range(track INTEGER, id INTEGER, start_ns INTEGER, end_ns INTEGER);

-- The call that executed an inference: of those of its model that were open when it began, the last to begin; else the last asynchronous one before.
-- It needs one clock for calls and tasks.
CREATE TEMP TABLE step_call(step INTEGER PRIMARY KEY, start_ns INTEGER, dur_ns INTEGER, name TEXT);
-- @when EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock') AND EXISTS (SELECT 1 FROM temp.step_file)
CREATE TEMP TABLE step_start(net_id INTEGER, start_ns INTEGER, step INTEGER, PRIMARY KEY(net_id, start_ns, step)) WITHOUT ROWID;
INSERT INTO temp.step_start
SELECT net_id, min(start_ns), step FROM (
  SELECT f.net_id, f.step, (SELECT t.start_ns FROM aicore_task t WHERE t.rowid = f.first_row) AS start_ns FROM temp.step_file f WHERE f.target = 'aicore_task'
  UNION ALL
  SELECT f.net_id, f.step, (SELECT min(t.start_ns) FROM aicpu_task t WHERE t.rowid BETWEEN f.first_row AND f.last_row) FROM temp.step_file f
  WHERE f.target = 'aicpu_task')
WHERE net_id IS NOT NULL AND start_ns IS NOT NULL GROUP BY step;

-- An asynchronous call comes to the next inference that begins.
CREATE TEMP TABLE step_execute AS
SELECT t.step, c.name GLOB '*async' AS is_async, max(c.start_ns) AS start_ns, c.dur_ns, c.name
FROM source s CROSS JOIN api_call c ON c.rowid BETWEEN s.first_row AND s.last_row
CROSS JOIN temp.step_start t ON t.net_id = s.net_id AND t.start_ns BETWEEN c.start_ns AND CASE WHEN c.name GLOB '*async'
  THEN (SELECT min(n.start_ns) FROM temp.step_start n WHERE n.net_id = s.net_id AND n.start_ns >= c.start_ns) ELSE c.start_ns + c.dur_ns END
WHERE s.target = 'api_call' AND c.type = 2 AND c.name GLOB 'svp_acl_mdl_execute*' GROUP BY t.step, 2;

INSERT INTO temp.step_call SELECT step, start_ns, dur_ns, name FROM temp.step_execute WHERE NOT is_async;
INSERT OR IGNORE INTO temp.step_call
SELECT step, start_ns, max(dur_ns) FILTER (WHERE call_ns = start_ns) OVER g, max(name) FILTER (WHERE call_ns = start_ns) OVER g
FROM (SELECT t.step, t.net_id, a.start_ns AS call_ns, a.dur_ns, a.name, max(a.start_ns) OVER (PARTITION BY t.net_id ORDER BY t.start_ns, t.step) AS start_ns
      FROM temp.step_start t LEFT JOIN temp.step_execute a ON a.step = t.step AND a.is_async)
WHERE start_ns IS NOT NULL WINDOW g AS (PARTITION BY net_id, start_ns);
DROP TABLE temp.step_execute;
DROP TABLE temp.step_start;
-- @end
