-- Runs on SS928 jobs after all records are loaded: joins, sums, and notes about the job.

-- Models and layers.
INSERT INTO net(model, model_id, batch, input_pic_num)
SELECT model, model_id, max(b), max(p) FROM (
  SELECT s.model, s.model_id,
    CASE typeof(json_extract(l.line, '$.batch')) WHEN 'integer' THEN json_extract(l.line, '$.batch') END AS b,
    CASE typeof(json_extract(l.line, '$.input_pic_num')) WHEN 'integer' THEN json_extract(l.line, '$.input_pic_num') END AS p
  FROM source s JOIN net_line l ON l.rowid BETWEEN s.first_row AND s.last_row
  WHERE s.target = 'net_line'
  UNION ALL
  SELECT DISTINCT model, model_id, NULL, NULL FROM source WHERE model IS NOT NULL AND model_id IS NOT NULL
) GROUP BY model, model_id ORDER BY model, model_id;

UPDATE source SET net_id = n.id FROM net n WHERE n.model = source.model AND n.model_id = source.model_id;

-- The last line of a task counts; it replaces earlier lines of the same task.
CREATE TEMP TABLE last_line AS
SELECT s.net_id, json_extract(l.line, '$.task') AS task_id,
  CASE json_type(l.line, '$.stream') WHEN 'integer' THEN json_extract(l.line, '$.stream') ELSE 0 END AS stream_id,
  max(l.rowid) AS row
FROM source s CROSS JOIN layer_line l
WHERE s.target = 'layer_line' AND l.rowid BETWEEN s.first_row AND s.last_row AND s.net_id IS NOT NULL
  AND json_type(l.line, '$.task') = 'integer' AND json_type(l.line, '$.layers') = 'array'
GROUP BY 1, 2, 3;

INSERT INTO layer
SELECT f.net_id, f.task_id, f.stream_id, j.key,
       json_extract(j.value, '$.id'),
       substr(nullif(json_extract(j.value, '$.name'), ''), 1, 1024),
       substr(nullif(json_extract(j.value, '$.type'), ''), 1, 1024),
       CASE json_type(j.value, '$.ori')
         WHEN 'array' THEN nullif((SELECT substr(group_concat(o.value, char(31)), 1, 4096)
                                   FROM json_each(j.value, '$.ori') o), '')
         ELSE substr(nullif(json_extract(j.value, '$.ori'), ''), 1, 4096) END
FROM last_line f JOIN layer_line l ON l.rowid = f.row
JOIN json_each(l.line, '$.layers') j
WHERE j.type = 'object' AND j.key < 256;

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'tasks with more than 256 layers: ' || count(*) || '; only the first 256 of each are kept'
FROM last_line f JOIN layer_line l ON l.rowid = f.row
WHERE json_array_length(l.line, '$.layers') > 256 HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'odd', NULL, 'layers whose names were cut, to 1024 characters (the list of original names: 4096): ' || count(*)
FROM layer WHERE length(name) >= 1024 OR length(type) >= 1024 OR length(ori) >= 4096 HAVING count(*);

DROP TABLE last_line;

INSERT INTO note(kind, file, text)
SELECT 'odd', s.file, count(*) || ' lines name no task or no layers'
FROM source s JOIN layer_line l ON l.rowid BETWEEN s.first_row AND s.last_row
WHERE s.target = 'layer_line'
  AND (json_type(l.line, '$.task') IS NOT 'integer' OR json_type(l.line, '$.layers') IS NOT 'array')
GROUP BY s.id;

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
