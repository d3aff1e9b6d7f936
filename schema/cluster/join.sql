-- Compares ranks. A rank is a device of an aggregate. Its number is the rank_id where all have one and no two the same; else ranks are counted by host and device.
CREATE TABLE told AS
SELECT count(*) = count(rank_id) AND count(*) = count(DISTINCT rank_id) AS by_id, count(*) AS ranks, max(rank_size) AS rank_size, count(DISTINCT job) AS jobs FROM rank_row;
CREATE TABLE rank AS
SELECT CASE WHEN (SELECT by_id FROM told) THEN rank_id ELSE row_number() OVER (ORDER BY host, device_id, name, doc) - 1 END AS rank, r.* FROM rank_row r;
CREATE UNIQUE INDEX rank_by_device ON rank(doc, device_id);

-- Collective operations that at least two ranks recorded: the nth of a kind in a group is the same on all of them. A rank that begins last waits least, so the
-- shortest is that of the last one; what the others are longer is what they waited. No clock is needed for that. A send of one rank is not that of another.
-- own_ns is the time since the last collective of the rank that ended before: what the rank did by itself, whatever it waited before.
CREATE TABLE one AS
SELECT rank, communicator, type, number, start_ns, start_ns + dur_ns + wall_offset_ns AS end_ns, dur_ns, CASE WHEN held_ns <= start_ns THEN start_ns - held_ns END AS own_ns
FROM (SELECT r.rank, r.wall_offset_ns, c.communicator, c.type, c.number, c.start_ns, c.dur_ns,
    max(c.start_ns + c.dur_ns) OVER (PARTITION BY r.rank ORDER BY c.start_ns, c.dur_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS held_ns
  FROM collective_row c JOIN rank r USING (doc, device_id)
  WHERE c.dur_ns IS NOT NULL AND (c.type IS NULL OR (c.type NOT LIKE '%send%' AND c.type NOT LIKE '%receive%' AND c.type NOT LIKE '%recv%')));
CREATE TABLE met(id INTEGER PRIMARY KEY, communicator TEXT, type TEXT, number INTEGER, ranks INTEGER, shortest_ns INTEGER, longest_ns INTEGER);
INSERT INTO met(communicator, type, number, ranks, shortest_ns, longest_ns)
SELECT communicator, type, number, count(*), min(dur_ns), max(dur_ns) FROM one GROUP BY communicator, type, number HAVING count(*) > 1 AND count(*) = count(DISTINCT rank);
CREATE UNIQUE INDEX met_by_name ON met(communicator, type, number);
CREATE TABLE meeting AS
SELECT m.id AS met, o.rank, o.start_ns, o.end_ns, o.dur_ns, o.own_ns, m.ranks, m.shortest_ns, o.dur_ns - m.shortest_ns AS wait_ns, m.longest_ns - o.dur_ns AS late_ns
FROM one o JOIN met m ON m.communicator = o.communicator AND m.type IS o.type AND m.number = o.number;
DROP TABLE one;
CREATE INDEX meeting_by_rank ON meeting(rank, start_ns);
CREATE INDEX meeting_by_met ON meeting(met);

-- Steps of ranks.
CREATE TABLE step AS
SELECT r.rank, s.number, s.label, s.start_ns, s.span_ns, s.computing_ns, s.aicpu_ns, s.communication_ns, s.exposed_ns, s.free_ns, s.bubble_ns
FROM step_row s JOIN rank r USING (doc, device_id);
-- Operators: the mean time of each rank.
CREATE TABLE operator AS
SELECT r.rank, o.name, o.type, total_int(o.tasks) AS tasks, total_int(o.total_ns) AS total_ns, max(o.longest_ns) AS longest_ns,
  1.0 * total_int(o.total_ns) / total_int(o.tasks) AS mean_ns
FROM operator_row o JOIN rank r USING (doc, device_id) GROUP BY r.rank, o.name, o.type;

-- Links, and the speed of the others of their kind.
CREATE TABLE link AS
SELECT source, target, link, transport, total_int(transfers) AS transfers, total_int(bytes) AS bytes, total_int(ns) AS ns,
  1.0 * total_int(bytes) / total_int(ns) AS rate FROM link_row GROUP BY source, target, link, transport;
CREATE TABLE link_kind AS
WITH sorted AS (
  SELECT link, transport, rate, row_number() OVER (PARTITION BY link, transport ORDER BY rate) AS place, count(*) OVER (PARTITION BY link, transport) AS links FROM link
)
SELECT link, transport, max(links) AS links, avg(rate) AS median FROM sorted WHERE place IN ((links + 1) / 2, (links + 2) / 2) GROUP BY link, transport;

-- Stages: the ranks that groups join. A group of all ranks joins nothing where there are smaller ones. cluster/stage.sql is run until no stage grows.
CREATE TABLE member AS SELECT DISTINCT t.communicator, m.rank FROM meeting m JOIN met t ON t.id = m.met;
DELETE FROM member WHERE communicator IN (SELECT communicator FROM member GROUP BY communicator HAVING count(*) = (SELECT ranks FROM told))
  AND EXISTS (SELECT 1 FROM member GROUP BY communicator HAVING count(*) < (SELECT ranks FROM told));
CREATE TABLE stage(rank INTEGER PRIMARY KEY, stage INTEGER NOT NULL);
INSERT INTO stage SELECT rank, CASE WHEN rank IN (SELECT rank FROM member) THEN rank ELSE -1 END FROM rank;
