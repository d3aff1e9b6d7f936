-- Runs on Ascend 910 jobs after all records are loaded: pairs, joins, and notes about the job.

-- Pairs of starts and ends. An end closes the latest open start of its stream and task: the previous event, if it is a start.

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

INSERT INTO meta SELECT 'inference', EXISTS (SELECT 1 FROM hwts_task) OR EXISTS (SELECT 1 FROM step_trace)
  OR EXISTS (SELECT 1 FROM aicpu_events WHERE node IS NOT NULL) OR EXISTS (SELECT 1 FROM queue_events) OR EXISTS (SELECT 1 FROM hwts_op);
INSERT INTO meta VALUES ('clock', 'tasks: system counter of the device in ns; not aligned with the host');
