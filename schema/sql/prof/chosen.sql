-- Runs when the user chose iterations of models: temporary tables that hide those of the database, with what belongs to the choice. So reports, and
-- the overlap that busy.sql measures, are those of a job of these iterations. Tasks ran wholly between the begin of the first and the end of the last.
DROP TABLE IF EXISTS temp.chosen_step;
DROP TABLE IF EXISTS temp.chosen_time;
DROP TABLE IF EXISTS temp.step_ahead;
DROP TABLE IF EXISTS temp.task;
DROP TABLE IF EXISTS temp.stream;
DROP TABLE IF EXISTS temp.api;
DROP TABLE IF EXISTS temp.thread;
DROP TABLE IF EXISTS temp.comm_op;
DROP TABLE IF EXISTS temp.comm_track;
DROP TABLE IF EXISTS temp.overlap;
CREATE TEMP TABLE chosen_step AS
SELECT s.* FROM temp.choice c CROSS JOIN main.step s
WHERE c.chosen AND s.model_id = coalesce(c.model_id, s.model_id) AND s.index_id BETWEEN c.iteration_id AND c.iteration_id + c.iteration_count - 1;
-- The least number, from the first chosen one on, of the iterations that end at a time or later: of a model, or of all (-1).
CREATE TEMP TABLE step_ahead(device_id INTEGER, model_id INTEGER, end_ns INTEGER, index_id INTEGER);
INSERT INTO temp.step_ahead
SELECT s.device_id, m.value, s.end_ns, min(s.index_id) OVER (PARTITION BY s.device_id, m.value ORDER BY s.end_ns RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
FROM temp.choice c CROSS JOIN main.step s CROSS JOIN json_each(json_array(s.model_id, -1)) m WHERE c.chosen AND s.index_id >= c.iteration_id;
CREATE INDEX temp.step_ahead_by_time ON step_ahead(device_id, model_id, end_ns);
CREATE TEMP TABLE measured AS SELECT DISTINCT device_id FROM temp.chosen_step;

-- Calls begin, or go on, after the last iteration of the device that ended before the first chosen one began.
-- @when EXISTS (SELECT 1 FROM temp.chosen_step)
CREATE TEMP TABLE step_end AS SELECT device_id, model_id = 4294967295 AS is_program, end_ns FROM main.step;
CREATE INDEX temp.step_end_by_time ON step_end(device_id, is_program, end_ns);
CREATE TEMP TABLE chosen_time AS
SELECT device_id, model_id, min(start_ns) AS from_ns, max(end_ns) AS to_ns,
  coalesce((SELECT max(b.end_ns) FROM temp.step_end b WHERE b.device_id = c.device_id AND b.is_program = (c.model_id = 4294967295) AND b.end_ns < min(c.start_ns)),
    -9223372036854775808) AS since_ns
FROM temp.chosen_step c GROUP BY device_id, model_id;
CREATE UNIQUE INDEX temp.chosen_time_by_model ON chosen_time(device_id, model_id);
DROP TABLE temp.step_end;
-- Something lies within one of many times if the longest of those that begin before it does not end before it.
CREATE TEMP TABLE chosen_reach(device_id INTEGER, from_ns INTEGER, to_ns INTEGER);
INSERT INTO temp.chosen_reach
SELECT device_id, from_ns, max(to_ns) OVER (PARTITION BY device_id ORDER BY from_ns) AS to_ns FROM temp.chosen_time WHERE from_ns IS NOT NULL;
CREATE INDEX temp.chosen_reach_by_time ON chosen_reach(device_id, from_ns);
CREATE TEMP TABLE call_reach(since_ns INTEGER, to_ns INTEGER);
INSERT INTO temp.call_reach SELECT since_ns, max(to_ns) OVER (ORDER BY since_ns) AS to_ns FROM temp.chosen_time;
CREATE INDEX temp.call_reach_by_time ON call_reach(since_ns);
CREATE TEMP TABLE task AS
SELECT t.* FROM main.task t
WHERE t.start_ns IS NOT NULL AND t.start_ns + t.dur_ns <= (SELECT w.to_ns FROM temp.chosen_reach w WHERE w.device_id = t.device_id AND w.from_ns <= t.start_ns
  ORDER BY w.from_ns DESC LIMIT 1);
CREATE UNIQUE INDEX temp.task_by_id ON task(id);
CREATE TEMP TABLE api AS
SELECT a.* FROM main.api a
WHERE a.start_ns <= (SELECT w.to_ns FROM temp.call_reach w WHERE w.since_ns <= max(a.start_ns, coalesce(a.start_ns + a.dur_ns, a.start_ns)) ORDER BY w.since_ns DESC LIMIT 1);
CREATE UNIQUE INDEX temp.api_by_id ON api(connection_id);
CREATE TEMP TABLE thread AS SELECT t.* FROM main.thread t WHERE t.thread_id IN (SELECT thread_id FROM temp.api);
-- The work of others that ran meanwhile has its place and time alone, if the host says of any task which model launched it. Steps of the program
-- (model 4294967295) have all work.
UPDATE temp.task SET model_id = 4294967295, is_op = NULL, connection_id = NULL, launch_ns = NULL, host_type = NULL, op_name = NULL, op_type = NULL, node_type = NULL
WHERE EXISTS (SELECT 1 FROM main.task o WHERE o.model_id <> 4294967295)
  AND NOT EXISTS (SELECT 1 FROM temp.chosen_time w WHERE w.device_id = task.device_id AND w.model_id IN (task.model_id, 4294967295)
    AND task.start_ns >= w.from_ns AND task.start_ns + task.dur_ns <= w.to_ns);
-- An arrow begins at a call that is there.
UPDATE temp.task SET launch_ns = NULL WHERE connection_id IS NOT NULL AND connection_id NOT IN (SELECT connection_id FROM temp.api);
CREATE TEMP TABLE stream AS SELECT DISTINCT device_id, stream_id FROM temp.task ORDER BY id;
CREATE TEMP TABLE comm_op AS
SELECT o.* FROM main.comm_op o
WHERE CASE WHEN EXISTS (SELECT 1 FROM main.task t WHERE t.model_id <> 4294967295) THEN EXISTS (SELECT 1 FROM temp.chosen_time w
    WHERE w.device_id = o.device_id AND w.model_id IN (o.model_id, 4294967295) AND o.start_ns >= w.from_ns AND o.end_ns <= w.to_ns)
  ELSE o.end_ns <= (SELECT w.to_ns FROM temp.chosen_reach w WHERE w.device_id = o.device_id AND w.from_ns <= o.start_ns ORDER BY w.from_ns DESC LIMIT 1) END;
CREATE INDEX temp.comm_op_by_track ON comm_op(device_id, step_group, on_aicpu);
CREATE TEMP TABLE comm_track AS
SELECT g.* FROM main.comm_track g
WHERE EXISTS (SELECT 1 FROM temp.comm_op o WHERE o.device_id = g.device_id AND o.step_group IS g.step_group AND o.on_aicpu = g.on_aicpu);
DROP TABLE temp.chosen_reach;
DROP TABLE temp.call_reach;
CREATE TEMP TABLE overlap(device_id INTEGER, kind INTEGER, start_ns INTEGER, end_ns INTEGER, free_ns INTEGER);
-- @end
