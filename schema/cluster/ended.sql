-- Ranks that end early: others of a group went on to collectives that a rank did not enter. A collective without an end is one in which a rank waits.
CREATE TABLE entry AS
SELECT r.rank, c.communicator, coalesce(c.type, '') AS type, c.number, c.start_ns, c.start_ns + r.wall_offset_ns - coalesce(k.ns, 0) AS at_ns, c.dur_ns
FROM collective_row c JOIN rank r USING (doc, device_id) LEFT JOIN reached k ON k.rank = r.rank
WHERE c.type IS NULL OR (c.type NOT LIKE '%send%' AND c.type NOT LIKE '%receive%' AND c.type NOT LIKE '%recv%');
CREATE TABLE furthest AS
SELECT rank, communicator, type, max(number) AS number, dur_ns IS NULL AS waits FROM entry GROUP BY rank, communicator, type;

-- What a rank missed, by the one that went on for longest. A single collective may be the end of a recording, unless somebody waits in it. More of them, over a step or more, are not.
CREATE TABLE missed AS
WITH witness AS (
  SELECT communicator, type, rank, max(number) AS number, waits FROM furthest GROUP BY communicator, type
), less AS (
  SELECT f.rank, f.communicator, f.type, w.rank AS witness, w.waits, min(e.number) AS number, e.at_ns, count(*) AS missed, max(e.start_ns) - min(e.start_ns) AS ns
  FROM furthest f JOIN witness w USING (communicator, type) JOIN entry e ON e.rank = w.rank AND e.communicator = f.communicator AND e.type = f.type AND e.number > f.number
  WHERE f.number < w.number AND NOT EXISTS (SELECT 1 FROM furthest x WHERE x.rank = f.rank AND x.waits) GROUP BY f.rank, f.communicator, f.type
)
SELECT l.rank, l.communicator, l.type, l.number, l.waits, l.at_ns, row_number() OVER (PARTITION BY l.rank ORDER BY l.at_ns, l.communicator, l.type) AS place
FROM less l LEFT JOIN pace p ON p.rank = l.witness WHERE l.waits OR (l.missed > 1 AND l.ns >= coalesce(p.span_ns / p.steps, 0));
DELETE FROM missed WHERE place > 1;

-- The last thing that such a rank did, and who entered what it did not.
CREATE TABLE ended AS
WITH last AS (
  SELECT m.rank, e.communicator, e.type, e.number, max(e.start_ns + e.dur_ns) AS end_ns FROM missed m JOIN entry e USING (rank) GROUP BY m.rank
), entrant AS (
  SELECT m.rank, e.rank AS other, e.dur_ns, row_number() OVER (PARTITION BY m.rank ORDER BY e.rank) AS place, count(*) OVER (PARTITION BY m.rank) AS n
  FROM missed m JOIN entry e ON e.communicator = m.communicator AND e.type = m.type AND e.number = m.number
), entered AS (
  SELECT rank, group_concat(other, ', ') AS others, n, max(dur_ns IS NULL) AS waits, max(dur_ns) AS longest_ns FROM (SELECT * FROM entrant WHERE place <= 8 ORDER BY rank, place) GROUP BY rank
)
SELECT m.rank, 'rank ' || m.rank || ' ended early: it did not enter operation ' || m.number || ' of ' || m.communicator || ' (' || m.type || '), which rank'
  || CASE WHEN e.n > 1 THEN 's ' ELSE ' ' END || e.others || CASE WHEN e.n > 8 THEN ' and ' || (e.n - 8) || ' more' ELSE '' END
  || ' entered' || CASE WHEN e.waits THEN ' and did not leave' ELSE ', and waited in for ' || decimal(e.longest_ns, 1000, 3) || ' us at most' END
  || coalesce('; the last that it did is operation ' || l.number || ' of ' || l.communicator, '')
  || coalesce(' in its step ' || (SELECT max(number) FROM step s WHERE s.rank = m.rank AND s.start_ns <= l.end_ns), '') AS text
FROM missed m JOIN entered e USING (rank) LEFT JOIN last l USING (rank);
INSERT INTO ended
SELECT min(f.rank), 'all ranks that are known of ' || f.communicator || ' entered operation ' || f.number || ' (' || f.type || '), and ' || count(*) || ' did not leave it: rank '
  || min(f.rank) || ' first' FROM furthest f WHERE f.waits AND NOT EXISTS (SELECT 1 FROM missed m WHERE m.communicator = f.communicator) GROUP BY f.communicator, f.type, f.number;
-- Without collectives steps tell.
INSERT INTO ended
SELECT pace.rank, 'rank ' || pace.rank || ' ended early: it recorded ' || pace.steps || ' steps, and the median rank ' || middle.steps
FROM pace, (SELECT steps FROM (SELECT steps, row_number() OVER (ORDER BY steps) AS place, count(*) OVER () AS n FROM pace) WHERE place = (n + 1) / 2 AND n > 2) AS middle
WHERE pace.steps + 1 < middle.steps AND NOT EXISTS (SELECT 1 FROM met);
DROP TABLE entry;
DROP TABLE furthest;
