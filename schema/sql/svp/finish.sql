-- Runs on SS928 jobs after all records are loaded: joins, sums, and notes about the job. What collections lack is in notes.sql.

-- Models. A name without a stream is that of a board with one.
INSERT INTO net(model, model_id, batch, input_pic_num)
SELECT model, model_id, max(batch), max(input_pic_num) FROM source WHERE model IS NOT NULL AND model_id IS NOT NULL
GROUP BY model, model_id ORDER BY model, model_id;

UPDATE source SET net_id = n.id FROM net n WHERE n.model = source.model AND n.model_id = source.model_id;
UPDATE source SET stream_id = 0 WHERE stream_id IS NULL AND target IN ('aicore_task', 'aicpu_task');

-- The files of layers. A model file serves the only model that has none.
CREATE TEMP TABLE layer_file AS
SELECT net_id, first_row, last_row FROM source WHERE target = 'layer_item' AND state = 'raw' AND records > 0 AND net_id IS NOT NULL;

CREATE TEMP TABLE nameless_net AS SELECT id FROM net WHERE id NOT IN (SELECT net_id FROM layer_file);
INSERT INTO layer_file
SELECT n.id, s.first_row, s.last_row FROM source s CROSS JOIN nameless_net n
WHERE s.state = 'model' AND s.records > 0 AND (SELECT count(*) FROM nameless_net) = 1;
INSERT INTO note(kind, file, text)
SELECT 'odd', file, CASE (SELECT count(*) FROM nameless_net) WHEN 0 THEN 'not used: each model has its layers in data/'
  ELSE 'not used: several models have no layers in data/, and nothing tells which of them it is' END
FROM source WHERE state = 'model' AND records > 0 AND (SELECT count(*) FROM nameless_net) <> 1;
INSERT INTO note(kind, file, text) SELECT 'warning', file, 'has no layers: it names no task' FROM source WHERE state = 'model' AND records = 0;
DROP TABLE nameless_net;

-- The layers of tasks, in the order of the file. A layer without a task has no record.
CREATE TEMP TABLE layer_of AS
SELECT f.net_id, i.task_id, coalesce(i.seg_id, 0) AS seg_id, i.rowid AS row, i.layer_id, nullif(i.name, '') AS name, nullif(i.type, '') AS type,
  nullif(nullif(i.ori, ''), '""') AS ori -- "" is no name
FROM layer_file f CROSS JOIN layer_item i ON i.rowid BETWEEN f.first_row AND f.last_row WHERE i.task_id IS NOT NULL;
DROP TABLE layer_file;

-- Boards that do not tell the net of a task: a number that one net alone has is that of its layers.
CREATE TEMP TABLE blind_net AS
SELECT DISTINCT s.net_id FROM source s CROSS JOIN aicore_task t ON t.rowid = s.first_row
WHERE s.target = 'aicore_task' AND s.records > 0 AND t.seg_id = 4294967295;
CREATE TEMP TABLE shared_task AS
SELECT net_id, task_id FROM layer_of WHERE net_id IN (SELECT net_id FROM blind_net) GROUP BY 1, 2 HAVING min(seg_id) < max(seg_id);
INSERT INTO layer_of
SELECT net_id, task_id, 4294967295, row, layer_id, name, type, ori FROM layer_of
WHERE net_id IN (SELECT net_id FROM blind_net) AND (net_id, task_id) NOT IN (SELECT net_id, task_id FROM shared_task);

-- Tasks of the AI CPU have numbers of their own. They are those of the CPU nets in order, where there are as many.
CREATE TEMP TABLE cpu_task AS
SELECT net_id, task_id, row_number() OVER (PARTITION BY net_id ORDER BY task_id) AS place, count(*) OVER (PARTITION BY net_id) AS number
FROM (SELECT DISTINCT s.net_id, t.task_id FROM source s CROSS JOIN aicpu_task t ON t.rowid BETWEEN s.first_row AND s.last_row
      WHERE s.target = 'aicpu_task' AND s.net_id IS NOT NULL);
CREATE TEMP TABLE cpu_net AS
SELECT s.net_id, i.cpu_operator, row_number() OVER (PARTITION BY s.net_id ORDER BY i.seg_id, i.rowid) AS place, count(*) OVER (PARTITION BY s.net_id) AS number
FROM source s CROSS JOIN net_item i ON i.rowid BETWEEN s.first_row AND s.last_row
WHERE s.target = 'net_item' AND s.net_id IS NOT NULL AND (i.type = 5 OR i.cpu_operator <> '');
INSERT INTO layer_of
SELECT t.net_id, t.task_id, -1, 0, NULL, n.cpu_operator, n.cpu_operator, NULL FROM cpu_task t JOIN cpu_net n USING (net_id, place, number);

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'AI CPU tasks of model ' || n.model || ' have no name: ' || t.number || ' numbers of tasks, ' || coalesce(c.number, 0) || ' nets'
FROM (SELECT net_id, max(number) AS number FROM cpu_task GROUP BY 1) t JOIN net n ON n.id = t.net_id
LEFT JOIN (SELECT net_id, max(number) AS number FROM cpu_net GROUP BY 1) c ON c.net_id = t.net_id WHERE c.number IS NOT t.number;
DROP TABLE cpu_net;
DROP TABLE cpu_task;

INSERT INTO layer
SELECT net_id, task_id, seg_id, number, layer_id, substr(name, 1, 1024), substr(type, 1, 1024), substr(ori, 1, 4096)
FROM (SELECT *, row_number() OVER (PARTITION BY net_id, task_id, seg_id ORDER BY row) - 1 AS number FROM layer_of) WHERE number < 256;

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'tasks with more than 256 layers: ' || count(*) || '; only the first 256 of each are kept'
FROM (SELECT 1 FROM layer_of GROUP BY net_id, task_id, seg_id HAVING count(*) > 256) HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'layers whose names were cut, to 1024 characters (the list of original names: 4096): ' || count(*)
FROM layer_of WHERE length(name) > 1024 OR length(type) > 1024 OR length(ori) > 4096 HAVING count(*);
INSERT INTO data_check
SELECT 'layer_order', 'names', 'doubt', 'layers of a net stand in the order of their tasks', count(*), count(*) FILTER (WHERE task_id < before), NULL,
  'the layer of task ' || (max(task_id) FILTER (WHERE task_id < before)) || ' stands behind that of a later task'
FROM (SELECT task_id, lag(task_id) OVER (PARTITION BY net_id, seg_id ORDER BY row) AS before FROM layer_of WHERE seg_id BETWEEN 0 AND 4294967294)
WHERE before IS NOT NULL HAVING count(*);

INSERT INTO data_check
SELECT 'net_layers', 'names', 'doubt', 'net.info tells as many numbers of layers as layer.info has', count(*), count(*) FILTER (WHERE told <> has), NULL,
  max('net.info tells ' || told || ' numbers of layers of net ' || seg_id || ', layer.info has ' || has) FILTER (WHERE told <> has)
FROM (SELECT n.seg_id, n.records AS told, (SELECT count(DISTINCT task_id) FROM layer_of l WHERE l.net_id = n.net_id AND l.seg_id = n.seg_id) AS has
      FROM (SELECT s.net_id, i.seg_id, i.records FROM source s CROSS JOIN net_item i ON i.rowid BETWEEN s.first_row AND s.last_row
            WHERE s.target = 'net_item' AND s.net_id IS NOT NULL AND i.records > 0) n) HAVING count(*);
DROP TABLE layer_of;

-- A missing name of one of several layers becomes N/A, so that ids, names and types keep their positions.
INSERT INTO op
SELECT net_id, task_id, seg_id, count(*),
       CASE WHEN count(layer_id) THEN group_concat(coalesce(layer_id, 'N/A'), ',') END,
       CASE WHEN count(name) THEN group_concat(coalesce(name, 'N/A'), ',') END,
       CASE WHEN count(type) THEN group_concat(coalesce(type, 'N/A'), ',') END,
       group_concat(ori, ',')
FROM (SELECT * FROM layer ORDER BY net_id, task_id, seg_id, position)
GROUP BY net_id, task_id, seg_id;

-- What an inference of each model has: the one with the most tasks stands for all.
CREATE TEMP TABLE fullest AS
SELECT net_id, max(records) AS records, first_row, last_row FROM source WHERE target = 'aicore_task' AND records > 0 AND net_id IS NOT NULL GROUP BY net_id;
CREATE UNIQUE INDEX temp.fullest_by_net ON fullest(net_id);

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'model ' || n.model || ', id ' || n.model_id || ': tasks without a name, because no layer has their number: ' || count(*)
  || CASE count(h.task_id) WHEN 0 THEN '' ELSE '; ' || count(h.task_id) || ' of the numbers are those of several nets, and the board does not tell which' END
FROM fullest f CROSS JOIN aicore_task t ON t.rowid BETWEEN f.first_row AND f.last_row JOIN net n ON n.id = f.net_id
LEFT JOIN shared_task h ON t.seg_id = 4294967295 AND h.net_id = f.net_id AND h.task_id = t.task_id
WHERE NOT EXISTS (SELECT 1 FROM op o WHERE o.net_id = f.net_id AND o.task_id = t.task_id AND o.seg_id = t.seg_id) GROUP BY f.net_id;

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'model ' || n.model || ', id ' || n.model_id || ': an inference has ' || f.records || ' tasks, net.info says ' || told.records
FROM (SELECT s.net_id, total_int(i.records) AS records FROM source s CROSS JOIN net_item i ON i.rowid BETWEEN s.first_row AND s.last_row
      WHERE s.target = 'net_item' GROUP BY s.net_id) told
CROSS JOIN fullest f ON f.net_id = told.net_id CROSS JOIN net n ON n.id = f.net_id
WHERE f.records > told.records;
DROP TABLE fullest;
DROP TABLE shared_task;
DROP TABLE blind_net;

-- What the items say is now in layer and op.
DELETE FROM layer_item;
DELETE FROM net_item;

-- Notes about ambiguous file names.
INSERT INTO note(kind, text)
SELECT 'warning', 'models ' || group_concat(model, ', ') || ' share the id ' || model_id
  || ': the files op_statistic and acl_statistic of that id hold all of them'
FROM net GROUP BY model_id HAVING count(*) > 1;

-- When models (2) and operators (1) were only loaded and unloaded, there is nothing to report. An execution, another call of
-- an operator, a mark (5), and calls of a program without a model are worth a report.
INSERT INTO meta
SELECT 'inference', CASE
  WHEN EXISTS (SELECT 1 FROM aicore_task) OR EXISTS (SELECT 1 FROM aicpu_task) THEN 1
  WHEN NOT EXISTS (SELECT 1 FROM api_call WHERE type = 2) THEN EXISTS (SELECT 1 FROM api_call)
  ELSE EXISTS (SELECT 1 FROM api_call WHERE type = 5 OR name LIKE '%execute%' OR (type = 1 AND name NOT LIKE '%load%')) END;

INSERT INTO meta VALUES ('clock', 'ns since 1970, as the board counts them: tasks of the AI Core and the AI CPU, and API calls'), ('one_clock', 1);
