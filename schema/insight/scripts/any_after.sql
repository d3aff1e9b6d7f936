-- What all families share: the pace of the steps, and the parts of their time.

-- The steps of each device, of cards.
-- @when EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE name = 'device_track')
CREATE TEMP TABLE step AS
SELECT w.id, w.track AS grp, w.track AS device_id, coalesce(CAST(r.iteration AS TEXT), 'all') AS label, w.start_ns, w.end_ns, CAST(w.end_ns - w.start_ns AS INTEGER) AS span_ns,
  w.idle_ns, w.gaps, row_number() OVER (PARTITION BY w.track ORDER BY w.start_ns, w.id) AS number
FROM temp.window w LEFT JOIN temp.range r ON r.id = w.id;
CREATE TEMP TABLE step_group AS
SELECT track AS id, track AS device_id, 'device ' || track AS title,
  CASE WHEN EXISTS (SELECT 1 FROM temp.range r WHERE r.track = d.track) THEN 'iteration' ELSE 'collection' END AS what
FROM temp.device_track d;
-- @end

CREATE UNIQUE INDEX temp.step_by_id ON step(id);
CREATE UNIQUE INDEX temp.step_by_group ON step(grp, number);
CREATE INDEX temp.operator_by_group ON operator(is_rest, k1);
CREATE INDEX temp.range_by_start ON range(track, start_ns);
CREATE INDEX temp.window_time_by_window ON window_time(window, class);

-- Quantiles are exact: the value with the rank ceil(share * steps). MAD is the median distance from the median.
CREATE TEMP TABLE step_rank AS
SELECT id, grp, number, span_ns, row_number() OVER (PARTITION BY grp ORDER BY span_ns, number) AS rank, count(*) OVER (PARTITION BY grp) AS steps
FROM temp.step;
CREATE TEMP TABLE pace AS
SELECT grp, steps, total_int(span_ns) AS total_ns, total_int(span_ns) / steps AS mean_ns, min(span_ns) AS shortest_ns, max(span_ns) AS longest_ns,
  max(span_ns) FILTER (WHERE rank = (steps + 1) / 2) AS median_ns, max(span_ns) FILTER (WHERE rank = (steps * 95 + 99) / 100) AS p95_ns,
  max(span_ns) FILTER (WHERE rank = (steps * 99 + 99) / 100) AS p99_ns, max(span_ns) FILTER (WHERE number = 1) AS first_ns,
  max(id) FILTER (WHERE rank = steps) AS slowest, NULL AS mad_ns
FROM temp.step_rank GROUP BY grp;
UPDATE pace SET mad_ns = d.mad_ns
FROM (SELECT grp, max(far_ns) FILTER (WHERE rank = (steps + 1) / 2) AS mad_ns FROM (
    SELECT r.grp, r.steps, abs(r.span_ns - p.median_ns) AS far_ns, row_number() OVER (PARTITION BY r.grp ORDER BY abs(r.span_ns - p.median_ns)) AS rank
    FROM temp.step_rank r JOIN temp.pace p ON p.grp = r.grp) GROUP BY grp) d
WHERE pace.grp = d.grp;
CREATE UNIQUE INDEX temp.pace_by_group ON pace(grp);

-- Why no step was found.
CREATE TEMP TABLE IF NOT EXISTS left_out(device_id, model, model_id, current_pic); -- of boards: inferences that lost tasks
CREATE TEMP TABLE no_step AS
SELECT CASE WHEN EXISTS (SELECT 1 FROM temp.left_out) THEN 'every inference lost tasks'
  WHEN EXISTS (SELECT 1 FROM data_check WHERE name = 'frequency_known' AND failed > 0)
    THEN 'the frequency of the core is not known: give it with --frequency MHZ' ELSE 'no task of a step has a start and an end' END AS text
WHERE NOT EXISTS (SELECT 1 FROM temp.pace);

-- The parts of a step add up to its length: each class alone, and idle (class NULL).
CREATE TEMP TABLE part AS
SELECT s.grp, c.number AS class, c.title, total_int(coalesce(t.alone_ns, 0)) AS total_ns, min(coalesce(t.alone_ns, 0)) AS shortest_ns,
  max(coalesce(t.alone_ns, 0)) AS longest_ns, total_int(coalesce(t.own_ns - t.alone_ns, 0)) AS beside_ns
FROM temp.step s CROSS JOIN temp.class c LEFT JOIN temp.window_time t ON t.window = s.id AND t.class = c.number
GROUP BY s.grp, c.number
UNION ALL
SELECT grp, NULL, 'Idle', total_int(idle_ns), min(idle_ns), max(idle_ns), 0 FROM temp.step GROUP BY grp;
CREATE UNIQUE INDEX temp.part_by_group ON part(grp, class);

-- The executions of models by a process, and its calls that allocate, free or copy memory between the first and the last one: what runs before or after
-- is done once, and is no cost of a step. Fewer steps than executions are sampled by an interval. A process that executes nothing has no such bounds.
CREATE TEMP VIEW execution AS
SELECT pid, min(start_ns) AS begin_ns, max(start_ns + dur_ns) AS end_ns, count(*) AS calls FROM api_call WHERE lower(name) LIKE '%mdl%execute%' GROUP BY pid;
CREATE TEMP VIEW memory_call AS
SELECT a.* FROM api_call a LEFT JOIN temp.execution e ON e.pid = a.pid
WHERE (lower(a.name) LIKE '%mem%' OR lower(a.name) LIKE '%malloc%' OR lower(a.name) LIKE '%free%') AND lower(a.name) NOT LIKE '%load%'
  AND coalesce(a.start_ns BETWEEN e.begin_ns AND e.end_ns, 1);

-- The parts of known sequences, one row for each pattern of a type.
CREATE TEMP TABLE known_part AS
WITH RECURSIVE part(known, place, one, rest) AS (
  SELECT rowid, -1, NULL, parts || ' ' FROM temp.known WHERE family = 'any' OR EXISTS (SELECT 1 FROM meta WHERE key = 'family' AND value = known.family)
  UNION ALL SELECT known, place + 1, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1) FROM part WHERE rest <> ''
), pattern(known, place, one, rest) AS (
  SELECT known, place, NULL, one || '|' FROM part WHERE place >= 0
  UNION ALL SELECT known, place, substr(rest, 1, instr(rest, '|') - 1), substr(rest, instr(rest, '|') + 1) FROM pattern WHERE rest <> ''
)
SELECT known, place, one AS pattern FROM pattern WHERE one IS NOT NULL;
