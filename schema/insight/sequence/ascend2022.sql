-- The operators of the last step of each device. Matrix operators, those of the AI CPU and tasks without a description end a run.
-- @threshold least_times
-- @threshold most_gap_us
-- @each
SELECT grp, start_ns AS _start, end_ns AS _end FROM (SELECT grp, start_ns, end_ns, max(number) FROM temp.step GROUP BY grp) ORDER BY grp
-- @rows
SELECT t.id AS row, t.stream_id AS stream,
  CASE WHEN o.task_type IS NOT 'AI_CPU' AND word('type_class', 'class', text_hash(o.type)) IS NOT 0 THEN text_hash(o.type) END AS kind, t.start_ns,
  t.start_ns + t.dur_ns AS end_ns
FROM task t LEFT JOIN op o ON o.id = t.op_id
WHERE t.device_id = :grp AND t.unit IS NOT 1 AND t.start_ns >= :_start AND t.start_ns < :_end LIMIT 100000
-- @layer
WITH fits AS (SELECT DISTINCT k.known, k.place, t.kind FROM (SELECT DISTINCT text_hash(type) AS kind, type FROM op WHERE type IS NOT NULL)
  t JOIN temp.known_part k ON lower(t.type) GLOB k.pattern)
SELECT known, place, kind FROM fits f
WHERE (SELECT count(DISTINCT place) FROM fits x WHERE x.known = f.known) = (SELECT max(place) + 1 FROM temp.known_part p WHERE p.known = f.known)
ORDER BY known, place, kind
