-- The operators of the last step of each device. Matrix operators and those of the AI CPU end a run: they do not fuse.
-- @threshold least_times
-- @threshold most_gap_us
-- @each
SELECT grp, start_ns AS _start, end_ns AS _end FROM (SELECT grp, start_ns, end_ns, max(number) FROM temp.step GROUP BY grp) ORDER BY grp
-- @rows
SELECT id AS row, stream_id AS stream, CASE WHEN node_type IS NOT 1 AND word('type_class', 'class', op_type) IS NOT 0 THEN op_type END AS kind, start_ns,
  start_ns + dur_ns AS end_ns
FROM task WHERE device_id = :grp AND is_op = 1 AND start_ns >= :_start AND start_ns < :_end LIMIT 100000
-- @layer
WITH fits AS (SELECT DISTINCT k.known, k.place, t.kind FROM (SELECT hash AS kind, name AS type FROM name)
  t JOIN temp.known_part k ON lower(t.type) GLOB k.pattern)
SELECT known, place, kind FROM fits f
WHERE (SELECT count(DISTINCT place) FROM fits x WHERE x.known = f.known) = (SELECT max(place) + 1 FROM temp.known_part p WHERE p.known = f.known)
ORDER BY known, place, kind
