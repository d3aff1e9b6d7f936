-- The tasks of the core of the last inference of each group. Matrix tasks, inputs and outputs end a run: they do not fuse.
-- @threshold least_times
-- @threshold most_gap_us
-- @each
SELECT f.grp, f.stream_id AS _stream, f.first_row AS _first, f.last_row AS _last FROM (SELECT grp, id, max(number) FROM temp.step GROUP BY grp) s JOIN temp.step_file f ON f.step = s.id
WHERE f.target = 'aicore_task' ORDER BY f.grp, f.id
-- @rows
SELECT t.rowid AS row, coalesce(:_stream, t.seg_id) AS stream, CASE WHEN coalesce(o.class, 1) <> 0 AND lower(n.type) NOT IN ('preprocess', 'reportop') THEN text_hash(n.type) END AS kind,
  t.start_ns, t.start_ns + t.dur_ns AS end_ns
FROM aicore_task t LEFT JOIN temp.operator o ON o.k1 = :grp AND o.k2 = t.task_id AND o.k3 = t.seg_id AND o.k4 = 0 LEFT JOIN temp.op_name n ON n.id = o.id
WHERE t.rowid BETWEEN :_first AND :_last AND t.start_ns IS NOT NULL LIMIT 100000
-- @layer
WITH fits AS (SELECT DISTINCT k.known, k.place, t.kind FROM (SELECT DISTINCT text_hash(type) AS kind, type FROM temp.op_name WHERE type IS NOT NULL)
  t JOIN temp.known_part k ON lower(t.type) GLOB k.pattern)
SELECT known, place, kind FROM fits f
WHERE (SELECT count(DISTINCT place) FROM fits x WHERE x.known = f.known) = (SELECT max(place) + 1 FROM temp.known_part p WHERE p.known = f.known)
ORDER BY known, place, kind
