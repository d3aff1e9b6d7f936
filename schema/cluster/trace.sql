-- What the trace of a cluster is of: times of a rank plus shift_ns are those of the wall clock that all ranks share, base_ns less than those of its own.
CREATE TABLE wanted(rank INTEGER PRIMARY KEY);
CREATE TABLE aligned(
  rank INTEGER PRIMARY KEY, doc INTEGER, device_id INTEGER, title TEXT, shift_ns INTEGER, base_ns INTEGER, late INTEGER
);
INSERT INTO aligned
SELECT r.rank, r.doc, r.device_id, word('Rank ' || r.rank || coalesce(' of ' || r.host, '') || CASE WHEN s.verdict = 'yes' THEN ', late by ' || s.cause ELSE '' END),
  coalesce(r.wall_offset_ns, 0) - coalesce(c.offset_ns, 0), coalesce(c.offset_ns, 0), s.verdict = 'yes'
FROM rank r JOIN straggler s USING (rank) LEFT JOIN clock c USING (rank);
-- The time that is wanted, from the first event on.
CREATE TABLE moment(from_ns INTEGER, to_ns INTEGER, first_ns INTEGER);
INSERT INTO moment SELECT NULL, NULL, min(ns) FROM (
  SELECT min(s.start_ns + a.shift_ns) AS ns FROM step s JOIN aligned a USING (rank) UNION ALL SELECT min(m.start_ns + a.shift_ns) FROM meeting m JOIN aligned a USING (rank));
-- For whom others wait in a collective.
CREATE TABLE blamed AS
SELECT t.communicator, coalesce(t.type, '') AS type, t.number, word('rank ' || min(m.rank) || CASE WHEN count(*) > 1 THEN ' and ' || (count(*) - 1) || ' more' ELSE '' END) AS ranks
FROM meeting m JOIN aligned a USING (rank) JOIN met t ON t.id = m.met WHERE a.late GROUP BY m.met;
CREATE UNIQUE INDEX blamed_by_name ON blamed(communicator, type, number);
CREATE TABLE track AS SELECT communicator, row_number() OVER (ORDER BY communicator) AS track FROM (SELECT DISTINCT communicator FROM collective_row);
CREATE UNIQUE INDEX track_by_name ON track(communicator);
-- What the notes of a trace are read from besides: a cluster has none of these.
CREATE TABLE told_standing(text TEXT);
CREATE TABLE loss(amount INTEGER, what TEXT);
CREATE TABLE unpaired(what TEXT);
