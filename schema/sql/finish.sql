-- Runs once all records are loaded: joins, pairs, and what must be said of the job.
-- svp: models and layers ----------------------------------------------

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

-- The last line of a task counts: an earlier one for the same task was replaced by it.
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

-- A name that one of several layers lacks stands as N/A, so that ids, names and types keep their places.
INSERT INTO op
SELECT net_id, task_id, stream_id, count(*),
       CASE WHEN count(layer_id) THEN group_concat(coalesce(layer_id, 'N/A'), ',') END,
       CASE WHEN count(name) THEN group_concat(coalesce(name, 'N/A'), ',') END,
       CASE WHEN count(type) THEN group_concat(coalesce(type, 'N/A'), ',') END,
       group_concat(replace(ori, char(31), ','), ',')
FROM (SELECT * FROM layer ORDER BY net_id, task_id, stream_id, position)
GROUP BY net_id, task_id, stream_id;

-- Sums by file first, which needs no sort; files of the same identity follow each other.
INSERT INTO inference
SELECT s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic,
  max(s.net_id), min(s.first_row), max(s.last_row), sum(s.records), total_int(ticks),
  total_int(mac_busy),
  total_int(mac_ppen),
  total_int(vec_busy),
  total_int(vec_ppen),
  total_int(dstr),
  total_int(dtrans),
  total_int(dld),
  total_int(wld),
  total_int(ddr_read_bytes),
  total_int(ddr_write_bytes),
  total_int(icache_miss),
  total_int(icache_access)
FROM source s JOIN (
  SELECT s.id, total_int(t.end_tick - t.start_tick) AS ticks,
    total_int(t.mac_busy) AS mac_busy,
    total_int(t.mac_ppen) AS mac_ppen,
    total_int(t.vec_busy) AS vec_busy,
    total_int(t.vec_ppen) AS vec_ppen,
    total_int(t.dstr) AS dstr,
    total_int(t.dtrans) AS dtrans,
    total_int(t.dld) AS dld,
    total_int(t.wld) AS wld,
    total_int(t.ddr_read_bytes) AS ddr_read_bytes,
    total_int(t.ddr_write_bytes) AS ddr_write_bytes,
    total_int(t.icache_miss) AS icache_miss,
    total_int(t.icache_access) AS icache_access
  FROM source s CROSS JOIN aicore_task t
  WHERE s.target = 'aicore_task' AND t.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY s.id
) f ON f.id = s.id
GROUP BY s.device_id, s.model, s.model_id, s.batch, s.input_pic_num, s.current_pic,
  CASE WHEN s.model IS NULL THEN s.id END; -- files in doubt are not added up

-- The lines live on in layer and op.
DELETE FROM layer_line;

INSERT INTO note(kind, file, text)
SELECT 'warning', file,
       'exactly 512 records, the size of the ring on the board: earlier calls may have been overwritten'
FROM source WHERE target = 'api_call' AND records = 512;

INSERT INTO note(kind, file, text)
SELECT 'warning', 'info.json.' || device_id, lost || ' records were lost on the board, as it says itself'
FROM device WHERE lost > 0;

INSERT INTO note(kind, file, text)
SELECT 'warning', 'info.json.' || device_id, 'host-only job: no AA Core data'
FROM device WHERE collector = 'host';

-- ascend: pairs of starts and ends ------------------------------------
-- An end closes the latest open start of its stream and task: the event just before it, if that is a start.

-- The first description of an operator, and of a task, counts.
CREATE TEMP TABLE graph AS
SELECT s.device_id, g.op_name, g.op_type, min(g.rowid)
FROM source s CROSS JOIN graph_desc g
WHERE s.target = 'graph_desc' AND g.rowid BETWEEN s.first_row AND s.last_row
GROUP BY s.device_id, g.op_name;
CREATE UNIQUE INDEX temp.graph_by_name ON graph(device_id, op_name);

INSERT INTO hwts_op(device_id, stream_id, task_id, name, type, block_dim)
SELECT device_id, stream_id, task_id, op_name, op_type, block_dim FROM (
  SELECT s.device_id, CASE WHEN d.task_id < 25000 THEN d.stream_id END AS stream_id, d.task_id, d.op_name, g.op_type,
    d.block_dim, min(d.rowid)
  FROM source s CROSS JOIN task_desc d
  LEFT JOIN temp.graph g ON g.device_id = s.device_id AND g.op_name = d.op_name
  WHERE s.target = 'task_desc' AND d.rowid BETWEEN s.first_row AND s.last_row
  GROUP BY 1, 2, 3
);
DROP TABLE graph;

CREATE TEMP TABLE event AS
SELECT s.device_id, e.stream_id, e.task_id, e.core, e.type, e.time_ns, e.rowid AS row
FROM source s CROSS JOIN hwts_event e
WHERE s.target = 'hwts_event' AND e.rowid BETWEEN s.first_row AND s.last_row AND e.type IN (0, 1);

CREATE TEMP TABLE step AS
SELECT device_id, stream_id, task_id, core, type, time_ns, row,
       lag(type) OVER w AS before_type, lag(time_ns) OVER w AS before_ns, lead(type) OVER w AS after_type,
       lag(row) OVER w AS before_row
FROM event WINDOW w AS (PARTITION BY device_id, stream_id, task_id ORDER BY row);

INSERT INTO hwts_task(device_id, stream_id, task_id, core, start_ns, dur_ns, hwts_op_id)
SELECT device_id, stream_id, task_id, core, before_ns, time_ns - before_ns,
       (SELECT id FROM hwts_op o
        WHERE o.device_id = p.device_id AND o.task_id = p.task_id
          AND o.stream_id IS CASE WHEN p.task_id < 25000 THEN p.stream_id END)
FROM step p WHERE type = 1 AND before_type = 0
ORDER BY before_row;

INSERT INTO unpaired
SELECT device_id, stream_id, task_id, time_ns, CASE type WHEN 0 THEN 'start without an end' ELSE 'end without a start' END
FROM step
WHERE (type = 0 AND after_type IS NOT 1) OR (type = 1 AND before_type IS NOT 0)
ORDER BY row;

DROP TABLE event;
DROP TABLE step;

INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' tasks end before they start' FROM hwts_task WHERE dur_ns < 0 HAVING count(*);

INSERT INTO note(kind, file, text)
SELECT 'odd', s.file, count(*) || ' records are of a type that is not known'
FROM source s CROSS JOIN hwts_event e
WHERE s.target = 'hwts_event' AND e.rowid BETWEEN s.first_row AND s.last_row AND e.type > 4
GROUP BY s.id;

INSERT INTO note(kind, text)
SELECT 'odd', count(*) || ' of ' || (SELECT count(*) FROM hwts_task)
  || ' tasks have no description in the data: their names are N/A'
FROM hwts_task WHERE hwts_op_id IS NULL HAVING count(*);

-- svp: what cannot be told apart in file names ------------------------

INSERT INTO note(kind, text)
SELECT 'warning', 'models ' || group_concat(model, ', ') || ' share the id ' || model_id
  || ': the files op_statistic and acl_statistic of that id hold all of them'
FROM net GROUP BY model_id HAVING count(*) > 1;

-- all -----------------------------------------------------------------

INSERT INTO note(kind, file, text)
SELECT 'warning', NULL, 'incomplete collection: no .done marker beside any of ' || count(*) || ' raw files'
FROM source WHERE state = 'raw' AND file NOT GLOB '*.info' HAVING count(*) > 0 AND max(has_done) = 0;

INSERT INTO note(kind, file, text)
SELECT 'warning', file, 'incomplete collection: its .done marker is missing'
FROM source WHERE state = 'raw' AND file NOT GLOB '*.info' AND has_done = 0
  AND EXISTS (SELECT 1 FROM source WHERE has_done = 1);

-- Whether the job holds an inference at all: if not, there is nothing to report.
INSERT INTO meta
SELECT 'inference',
       EXISTS (SELECT 1 FROM aicore_task) OR EXISTS (SELECT 1 FROM aicpu_task) OR EXISTS (SELECT 1 FROM hwts_task)
       OR EXISTS (SELECT 1 FROM api_call WHERE name LIKE '%execute%');

INSERT INTO meta
SELECT 'clock', CASE (SELECT value FROM meta WHERE key = 'family')
  WHEN 'ascend' THEN 'tasks: system counter of the device in ns; not aligned with the host'
  ELSE 'tasks: core ticks of the device in ns; API calls: monotonic clock of the board in ns' END;

INSERT INTO note(kind, file, text)
SELECT 'warning', NULL, 'files that are not understood: ' || count(*) || ', with ' || sum(size)
  || ' bytes; ''msprof check'' lists them'
FROM source WHERE state = 'unknown' HAVING count(*);
