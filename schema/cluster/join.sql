-- Compares ranks. A rank is a device of an aggregate. Its number is the rank_id where all have one and no two the same; else ranks are counted by host and device.
CREATE TABLE told AS
SELECT count(*) = count(rank_id) AND count(*) = count(DISTINCT rank_id) AS by_id, count(*) AS ranks, max(rank_size) AS rank_size, count(DISTINCT job) AS jobs FROM rank_row;
CREATE TABLE rank AS
SELECT CASE WHEN (SELECT by_id FROM told) THEN rank_id ELSE row_number() OVER (ORDER BY host, device_id, name, doc) - 1 END AS rank, r.* FROM rank_row r;
CREATE UNIQUE INDEX rank_by_device ON rank(doc, device_id);

-- Collective operations that at least two ranks recorded: the nth of a kind in a group is the same on all of them. A rank that begins last waits least, so the
-- shortest is that of the last one; what the others are longer is what they waited. No clock is needed for that. A send of one rank is not that of another.
CREATE TABLE one AS
SELECT r.rank, c.communicator, c.type, c.number, c.start_ns + c.dur_ns + r.wall_offset_ns AS end_ns, c.dur_ns FROM collective_row c JOIN rank r USING (doc, device_id)
WHERE c.type IS NULL OR (c.type NOT LIKE '%send%' AND c.type NOT LIKE '%receive%' AND c.type NOT LIKE '%recv%');
CREATE TABLE met(id INTEGER PRIMARY KEY, communicator TEXT, type TEXT, number INTEGER, ranks INTEGER, shortest_ns INTEGER, longest_ns INTEGER);
INSERT INTO met(communicator, type, number, ranks, shortest_ns, longest_ns)
SELECT communicator, type, number, count(*), min(dur_ns), max(dur_ns) FROM one GROUP BY communicator, type, number HAVING count(*) > 1 AND count(*) = count(DISTINCT rank);
CREATE UNIQUE INDEX met_by_name ON met(communicator, type, number);
CREATE TABLE meeting AS
SELECT m.id AS met, o.rank, o.end_ns, o.dur_ns, m.ranks, m.shortest_ns, m.longest_ns - o.dur_ns AS late_ns, o.dur_ns - m.shortest_ns AS wait_ns,
  row_number() OVER (PARTITION BY m.id ORDER BY o.dur_ns, o.rank) AS place
FROM one o JOIN met m ON m.communicator = o.communicator AND m.type IS o.type AND m.number = o.number;
DROP TABLE one;
CREATE INDEX meeting_by_rank ON meeting(rank);
CREATE INDEX meeting_by_met ON meeting(met);

-- Steps of ranks.
CREATE TABLE step AS
SELECT r.rank, s.number, s.label, s.span_ns, s.computing_ns, s.aicpu_ns, s.communication_ns, s.exposed_ns, s.free_ns, s.bubble_ns
FROM step_row s JOIN rank r USING (doc, device_id);
CREATE TABLE pace AS SELECT rank, total_int(span_ns) AS span_ns FROM step GROUP BY rank;
CREATE UNIQUE INDEX pace_by_rank ON pace(rank);

-- Operators: the mean time of each rank.
CREATE TABLE operator AS
SELECT r.rank, o.name, o.type, total_int(o.tasks) AS tasks, total_int(o.total_ns) AS total_ns, 1.0 * total_int(o.total_ns) / total_int(o.tasks) AS mean_ns
FROM operator_row o JOIN rank r USING (doc, device_id) GROUP BY r.rank, o.name, o.type;
-- How much slower than the median a rank was in the operators that others have, too, and in how many it was the slowest. Only asked where no ranks met.
CREATE TABLE slower AS
WITH placed AS (
  SELECT rank, name, type, tasks, mean_ns, row_number() OVER (PARTITION BY name, type ORDER BY mean_ns DESC, rank) AS place, count(*) OVER (PARTITION BY name, type) AS n
  FROM operator WHERE NOT EXISTS (SELECT 1 FROM met)
), middle AS (
  SELECT name, type, avg(mean_ns) AS median FROM placed WHERE n > 1 AND place IN ((n + 1) / 2, (n + 2) / 2) GROUP BY name, type
)
SELECT p.rank, count(*) AS ballots, total_int(p.place = 1 AND p.mean_ns > m.median) AS votes, total(1.0 / p.n) AS by_chance,
  total((1.0 - 1.0 / p.n) / p.n) AS variance, CAST(total((p.mean_ns - m.median) * p.tasks) AS INTEGER) AS late_ns
FROM placed p JOIN middle m ON m.name = p.name AND m.type IS p.type GROUP BY p.rank;

-- How late a rank is, and how often it is the last one. A collective whose ranks differ by less than 1 us has no last one. Without collectives operators vote.
-- by_chance is how many votes it had if ranks drew lots, variance that of this number.
CREATE TABLE late AS
SELECT r.rank, 'collectives' AS source, count(m.rank) AS met, count(m.rank) AS ballots, total_int(CASE WHEN m.place = 1 AND m.late_ns >= 1000 THEN 1 ELSE 0 END) AS votes,
  total(1.0 / m.ranks) AS by_chance, total((1.0 - 1.0 / m.ranks) / m.ranks) AS variance,
  coalesce(total_int(m.late_ns), 0) AS late_ns, coalesce(total_int(m.wait_ns), 0) AS wait_ns, coalesce(total_int(m.shortest_ns), 0) AS transmit_ns,
  coalesce((SELECT p.span_ns FROM pace p WHERE p.rank = r.rank), 0) AS span_ns
FROM rank r LEFT JOIN meeting m ON m.rank = r.rank GROUP BY r.rank;
UPDATE late SET source = 'operators', votes = s.votes, ballots = s.ballots, by_chance = s.by_chance, variance = s.variance, late_ns = s.late_ns
FROM slower s WHERE s.rank = late.rank;

-- The rank that is late by far: Dixon's Q at 1 % for 3 to 10 ranks, three deviations (by the median deviation) for more; and late by 1 % of the steps or more. Of 3 ranks
-- hardly any passes Dixon's test: so of up to 10 ranks one is late, too, that has nine of ten votes or more, and four deviations more than by chance. Of many ranks
-- one is beyond three deviations by chance: so votes have to say the same, two at least and four deviations more than by chance, or it is late by six deviations.
CREATE TABLE dixon(ranks INTEGER PRIMARY KEY, q REAL);
INSERT INTO dixon VALUES (3, 0.994), (4, 0.926), (5, 0.821), (6, 0.740), (7, 0.680), (8, 0.634), (9, 0.598), (10, 0.568);
CREATE TABLE spread AS
WITH sorted AS (
  SELECT late_ns, row_number() OVER (ORDER BY late_ns, rank) AS place, count(*) OVER () AS n FROM late WHERE ballots > 0
), middle AS (
  SELECT avg(late_ns) AS median FROM sorted WHERE place IN ((n + 1) / 2, (n + 2) / 2)
), away AS (
  SELECT abs(s.late_ns - m.median) AS away, row_number() OVER (ORDER BY abs(s.late_ns - m.median)) AS place, s.n FROM sorted s, middle m
)
SELECT (SELECT count(*) FROM sorted) AS ranks, (SELECT median FROM middle) AS median_ns, (SELECT avg(away) FROM away WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS mad_ns,
  (SELECT min(late_ns) FROM sorted) AS least_ns, (SELECT max(late_ns) FROM sorted) AS most_ns, (SELECT max(late_ns) FROM sorted WHERE place = n - 1) AS second_ns;
CREATE TABLE straggler AS
SELECT l.rank, l.source, l.votes, l.met, l.ballots, l.late_ns, l.span_ns,
  CASE WHEN s.ranks < 3 THEN 'unsure'
    WHEN l.late_ns - s.median_ns < 0.01 * l.span_ns THEN 'no'
    WHEN s.ranks <= 10 AND l.votes >= 0.9 * l.ballots AND l.votes > l.by_chance AND (l.votes - l.by_chance) * (l.votes - l.by_chance) > 16 * l.variance THEN 'yes'
    WHEN s.ranks <= 10 THEN CASE WHEN l.late_ns = s.most_ns AND s.most_ns - s.second_ns > (SELECT q FROM dixon d WHERE d.ranks = s.ranks) * (s.most_ns - s.least_ns) THEN 'yes' ELSE 'no' END
    WHEN l.late_ns - s.median_ns > 6 * 1.4826 * s.mad_ns THEN 'yes'
    WHEN l.late_ns - s.median_ns > 3 * 1.4826 * s.mad_ns AND l.votes > 1 AND l.votes > l.by_chance AND (l.votes - l.by_chance) * (l.votes - l.by_chance) > 16 * l.variance THEN 'yes'
    ELSE 'no' END AS verdict
FROM late l CROSS JOIN spread s;

-- Links, and the speed of the others of their kind.
CREATE TABLE link AS
SELECT source, target, link, transport, total_int(transfers) AS transfers, total_int(bytes) AS bytes, total_int(ns) AS ns,
  1.0 * total_int(bytes) / total_int(ns) AS rate FROM link_row GROUP BY source, target, link, transport;
CREATE TABLE link_kind AS
WITH sorted AS (
  SELECT link, transport, rate, row_number() OVER (PARTITION BY link, transport ORDER BY rate) AS place, count(*) OVER (PARTITION BY link, transport) AS links FROM link
)
SELECT link, transport, max(links) AS links, avg(rate) AS median FROM sorted WHERE place IN ((links + 1) / 2, (links + 2) / 2) GROUP BY link, transport;

-- A collective ends at about the same moment on all ranks, so what the ends differ by is the difference of the clocks: the median over all of them, against the first
-- rank; and then against the median of the ranks, where there are three or more. A rank that never met the first one is compared with those that did, and so on:
-- cluster/reach.sql is run until it reaches no more.
CREATE TABLE reached(rank INTEGER PRIMARY KEY, ns INTEGER, collectives INTEGER);
INSERT INTO reached SELECT rank, 0, count(*) FROM meeting WHERE rank = (SELECT min(rank) FROM meeting WHERE end_ns IS NOT NULL) GROUP BY rank;
