-- Runs on SS928 jobs after all records are loaded: joins, sums, and notes about the job.

-- Models and layers.
INSERT INTO net(model, model_id, batch, input_pic_num)
SELECT model, model_id, max(b), max(p) FROM (
  SELECT s.model, s.model_id, CASE typeof(v.batch) WHEN 'integer' THEN v.batch END AS b,
    CASE typeof(v.input_pic_num) WHEN 'integer' THEN v.input_pic_num END AS p
  FROM net_line_value v JOIN source s ON s.id = v.source_id
  UNION ALL
  SELECT DISTINCT model, model_id, NULL, NULL FROM source WHERE model IS NOT NULL AND model_id IS NOT NULL
) GROUP BY model, model_id ORDER BY model, model_id;

UPDATE source SET net_id = n.id FROM net n WHERE n.model = source.model AND n.model_id = source.model_id;

-- The layers of tasks. What a line says of a task replaces what earlier lines say; layouts of text have a line for each layer.
CREATE TEMP TABLE layer_value AS
SELECT s.net_id, v.source_id, v.line_row, v.row, v.position, v.listed AND typeof(v.task_id) = 'integer' AS good, v.task_id,
  CASE typeof(v.stream_id) WHEN 'integer' THEN v.stream_id ELSE 0 END AS stream_id, v.layer_id, v.name, v.type, v.ori
FROM layer_line_value v JOIN source s ON s.id = v.source_id;

CREATE TEMP TABLE last_line AS
SELECT net_id, task_id, stream_id, max(row) AS row FROM layer_value WHERE good AND net_id IS NOT NULL GROUP BY 1, 2, 3;

INSERT INTO layer
SELECT net_id, task_id, stream_id, number, layer_id, substr(nullif(name, ''), 1, 1024), substr(nullif(type, ''), 1, 1024),
  substr(nullif(ori, ''), 1, 4096)
FROM (SELECT v.*, row_number() OVER (PARTITION BY v.net_id, v.task_id, v.stream_id ORDER BY v.position) - 1 AS number
      FROM last_line f JOIN layer_value v USING (net_id, task_id, stream_id, row) WHERE v.good AND v.position IS NOT NULL)
WHERE number < 256;

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'tasks with more than 256 layers: ' || count(*) || '; only the first 256 of each are kept'
FROM (SELECT 1 FROM last_line f JOIN layer_value v USING (net_id, task_id, stream_id, row) WHERE v.good AND v.position IS NOT NULL
      GROUP BY net_id, task_id, stream_id HAVING count(*) > 256) HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'layers whose names were cut, to 1024 characters (the list of original names: 4096): ' || count(*)
FROM layer WHERE length(name) >= 1024 OR length(type) >= 1024 OR length(ori) >= 4096 HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'odd', s.file, count(DISTINCT v.line_row) || ' lines name no task or no layers'
FROM layer_value v JOIN source s ON s.id = v.source_id WHERE NOT v.good GROUP BY s.id;

DROP TABLE last_line;
DROP TABLE layer_value;

-- A missing name of one of several layers becomes N/A, so that ids, names and types keep their positions.
INSERT INTO op
SELECT net_id, task_id, stream_id, count(*),
       CASE WHEN count(layer_id) THEN group_concat(coalesce(layer_id, 'N/A'), ',') END,
       CASE WHEN count(name) THEN group_concat(coalesce(name, 'N/A'), ',') END,
       CASE WHEN count(type) THEN group_concat(coalesce(type, 'N/A'), ',') END,
       group_concat(replace(ori, char(31), ','), ',')
FROM (SELECT * FROM layer ORDER BY net_id, task_id, stream_id, position)
GROUP BY net_id, task_id, stream_id;

-- The contents of the lines are now in layer and op.
DELETE FROM layer_line;

-- Calls whose names are numbers: the dictionary has the names, the last entry counts; other calls are named by the number. Keys of
-- JSON objects are numbers as texts.
-- @when EXISTS (SELECT 1 FROM api_name) OR (SELECT name_number FROM api_call LIMIT 1) IS NOT NULL
CREATE TEMP TABLE call_name(number INTEGER PRIMARY KEY, name TEXT);
INSERT OR REPLACE INTO call_name
SELECT CAST(number AS INTEGER), name FROM api_name_value
WHERE CAST(number AS TEXT) = CAST(CAST(number AS INTEGER) AS TEXT) AND nullif(name, '') IS NOT NULL ORDER BY line_row, position;
UPDATE api_call SET name = coalesce((SELECT c.name FROM call_name c WHERE c.number = name_number), CAST(name_number AS TEXT))
WHERE name IS NULL AND name_number IS NOT NULL;
DROP TABLE call_name;
-- @end

INSERT INTO note(kind, file, text)
SELECT 'warning', file,
       'exactly 512 records, the size of the ring on the board: earlier calls may have been overwritten'
FROM source WHERE target = 'api_call' AND records = 512;

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

INSERT INTO meta VALUES ('clock', 'tasks: core ticks of the device in ns; API calls: monotonic clock of the board in ns');
