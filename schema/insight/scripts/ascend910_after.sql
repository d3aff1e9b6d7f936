-- The names of operators. There are no counters, no number of cores and no calls in this generation.
CREATE TEMP TABLE op_name(id INTEGER PRIMARY KEY, name, type, converts, number, blocks, core);
INSERT INTO temp.op_name
SELECT o.id, CASE WHEN o.is_rest THEN 'other operators' WHEN o.class = 4 THEN (SELECT max(c.name) FROM temp.collective c WHERE c.grp = o.k1 AND c.point = o.k2)
    WHEN o.class = 3 THEN 'processor ' || o.k2 || ' of the AI CPU' ELSE coalesce(p.name, 'stream ' || o.k3 || ' task ' || o.k4) END AS name,
  p.type, coalesce(c.converts, 0) AS converts, CASE WHEN o.class NOT IN (3, 4) THEN (SELECT t.task_id FROM hwts_task t WHERE t.rowid = o.first_row) END AS number,
  p.block_dim AS blocks, 'aic' AS core
FROM temp.operator o LEFT JOIN hwts_op p ON p.id = o.k2 AND o.class < 3 AND NOT o.is_rest LEFT JOIN temp.op_type c ON c.id = p.id;

-- Tasks by their rows.
CREATE TEMP VIEW named_task AS SELECT row, name, type, task_id AS number FROM main.tasks;

CREATE TEMP TABLE op_unit(id INTEGER, core TEXT, name TEXT, ratio REAL);
CREATE TEMP TABLE core_count(grp INTEGER, core TEXT, cores INTEGER);
CREATE TEMP TABLE gap_host(gap INTEGER PRIMARY KEY, name TEXT);
