-- Which ranks are late by their own doing (docs/CLUSTER.md has the rules). The median of an even number of values is the lower one here: so one rank of two,
-- and four of eight, may be late.

-- Stages whose ranks run as many operators a step, within 2 %, do the same work: their ranks are compared.
CREATE TABLE pace AS
SELECT rank, count(*) AS steps, total_int(span_ns) AS span_ns FROM step GROUP BY rank;
CREATE UNIQUE INDEX pace_by_rank ON pace(rank);
CREATE TABLE load AS SELECT rank, total_int(tasks) AS tasks, total_int(total_ns) AS total_ns FROM operator GROUP BY rank;
CREATE UNIQUE INDEX load_by_rank ON load(rank);
CREATE TABLE seat(rank INTEGER PRIMARY KEY, stage INTEGER, size INTEGER, place INTEGER, work INTEGER, before INTEGER);
-- Stages of one size, but for ranks that are missing, are those of a pipeline, in the order of their ranks.
INSERT INTO seat
WITH often AS (
  SELECT s.stage, coalesce(1.0 * l.tasks / coalesce(p.steps, 1), 0) AS tasks FROM stage s LEFT JOIN load l USING (rank) LEFT JOIN pace p USING (rank)
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY stage ORDER BY tasks) AS place, count(*) OVER (PARTITION BY stage) AS n FROM often
), of_stage AS (
  SELECT stage, tasks FROM placed WHERE place = (n + 1) / 2
), work AS (
  SELECT stage, CAST(total(differs) OVER (ORDER BY tasks, stage) AS INTEGER) AS work, lag(stage) OVER (ORDER BY stage) AS before
  FROM (SELECT stage, tasks, tasks > 1.02 * lag(tasks) OVER (ORDER BY tasks, stage) AS differs FROM of_stage)
)
SELECT s.rank, s.stage, count(*) OVER (PARTITION BY s.stage), row_number() OVER (PARTITION BY s.stage ORDER BY s.rank), coalesce(w.work, 0), w.before FROM stage s JOIN work w USING (stage);
UPDATE seat SET before = NULL WHERE (SELECT max(size) - min(size) FROM seat) > (SELECT max(rank) + 1 - count(*) FROM rank);

-- Operators: what those of a rank took beyond the median of the ranks that do the same work and run them as often a step. The longest task of each does not count.
CREATE TABLE excess AS
WITH mean AS (
  SELECT o.rank, o.name, o.type, o.tasks, o.total_ns, s.work, CAST(round(1.0 * o.tasks / coalesce(p.steps, 1)) AS INTEGER) AS often,
    CASE WHEN o.tasks > 2 THEN 1.0 * (o.total_ns - o.longest_ns) / (o.tasks - 1) ELSE o.mean_ns END AS mean_ns
  FROM operator o JOIN seat s USING (rank) LEFT JOIN pace p USING (rank)
), placed AS (
  SELECT *, row_number() OVER same AS place, count(*) OVER (PARTITION BY name, type, work, often) AS n FROM mean WINDOW same AS (PARTITION BY name, type, work, often ORDER BY mean_ns)
)
SELECT p.rank, p.name, p.tasks, p.total_ns, (p.mean_ns - m.mean_ns) * p.tasks AS ns, p.mean_ns / m.mean_ns - 1 AS part
FROM placed p JOIN placed m ON m.name = p.name AND m.type IS p.type AND m.work = p.work AND m.often = p.often AND m.place = (m.n + 1) / 2 WHERE p.n > 1;
CREATE TABLE computing AS
SELECT rank, total(ns) AS ns, total_int(total_ns) AS known_ns, name AS slowest, part, max(ns) AS most_ns FROM excess GROUP BY rank;
CREATE UNIQUE INDEX computing_by_rank ON computing(rank);
DROP TABLE excess;

-- Rounds: steps, at most 64 of them and more than 4 of a rank, else collectives. In a step a rank is held by communication that nothing overlaps; before a collective by the
-- one before. Where that is not known of all, who waits least began last.
CREATE TABLE source AS
SELECT CASE WHEN (SELECT total(steps) >= 5 * count(*) FROM pace) AND EXISTS (SELECT 1 FROM pace) THEN 'steps' ELSE 'collectives' END AS kind,
  (SELECT 1 + max(steps) / 65 FROM pace) AS every;
CREATE TABLE round AS
SELECT s.rank, a.work AS work, s.number AS number, a.stage, s.computing_ns + s.aicpu_ns AS busy_ns, s.free_ns,
  coalesce((SELECT max(m.start_ns) FROM meeting m WHERE m.rank = s.rank AND m.start_ns BETWEEN s.start_ns AND s.start_ns + s.span_ns) - s.start_ns
    - s.computing_ns - s.aicpu_ns - s.free_ns, 0) AS held_ns
FROM step s JOIN seat a USING (rank), source WHERE source.kind = 'steps' AND s.number % source.every = 0
UNION ALL
SELECT m.rank, 0, m.met, 0, 0, CASE WHEN min(m.own_ns IS NOT NULL) OVER (PARTITION BY m.met) THEN m.own_ns ELSE -m.dur_ns END, 0
FROM meeting m, source WHERE source.kind = 'collectives';
CREATE TABLE away(rank INTEGER, number INTEGER, stage INTEGER, busy_ns INTEGER, free_ns INTEGER, late_ns INTEGER);
INSERT INTO away
WITH placed AS (
  SELECT *, row_number() OVER (PARTITION BY work, number ORDER BY busy_ns) AS by_busy, row_number() OVER (PARTITION BY work, number ORDER BY free_ns) AS by_free,
    row_number() OVER (PARTITION BY work, number ORDER BY held_ns) AS by_held, count(*) OVER (PARTITION BY work, number) AS n FROM round
), middle AS (
  SELECT work, number, max(busy_ns) FILTER (WHERE by_busy = (n + 1) / 2) AS busy_ns, max(free_ns) FILTER (WHERE by_free = (n + 3) / 4) AS free_ns,
    max(held_ns) FILTER (WHERE by_held = (n + 1) / 2) AS held_ns FROM placed GROUP BY work, number HAVING count(*) > 1
)
SELECT p.rank, p.number, p.stage, p.busy_ns - m.busy_ns AS busy_ns, p.free_ns - m.free_ns AS free_ns,
  max(0, p.busy_ns - m.busy_ns + p.free_ns - m.free_ns + p.held_ns - m.held_ns) AS late_ns
FROM placed p JOIN middle m USING (work, number);
DROP TABLE round;
CREATE INDEX away_by_rank ON away(rank, number);

-- A rank of a stage waits for that of the same place in the stage before: by how much that one reached its last collective later than others is not the rank's own. In rounds
-- in which this is 1 % of a step or more, nothing is known of what the rank does by itself while nothing runs.
CREATE INDEX seat_by_place ON seat(stage, place);
CREATE TABLE ahead(stage INTEGER, number INTEGER, late_ns INTEGER, PRIMARY KEY (stage, number)) WITHOUT ROWID;
INSERT INTO ahead SELECT stage, number, max(late_ns) FROM away WHERE stage IS NOT NULL AND number IS NOT NULL GROUP BY stage, number;
CREATE TABLE own AS
WITH waited AS (
  SELECT a.rank, a.busy_ns, a.free_ns, coalesce(CASE WHEN u.rank IS NULL THEN b.late_ns ELSE d.late_ns END, 0) AS late_ns
  FROM away a JOIN seat s USING (rank) LEFT JOIN seat u ON u.stage = s.before AND u.size = s.size AND u.place = s.place
  LEFT JOIN away d ON d.rank = u.rank AND d.number = a.number LEFT JOIN ahead b ON b.stage = s.before AND b.number = a.number
)
SELECT w.rank, w.busy_ns, CASE WHEN min(w.late_ns, w.free_ns) < coalesce(0.01 * p.span_ns / p.steps, 1) THEN max(min(w.free_ns, 0), w.free_ns - w.late_ns) END AS free_ns
FROM waited w LEFT JOIN pace p USING (rank);
DROP TABLE away;
DROP TABLE ahead;

-- What a rank is late by in three of four rounds or more: one pause is none of it.
CREATE TABLE late AS
WITH placed AS (
  SELECT rank, busy_ns, free_ns, row_number() OVER (PARTITION BY rank ORDER BY busy_ns DESC) AS by_busy, row_number() OVER (PARTITION BY rank ORDER BY free_ns DESC) AS by_free,
    count(*) OVER (PARTITION BY rank) AS n, count(free_ns) OVER (PARTITION BY rank) AS known FROM own
), steady AS (
  SELECT rank, n AS rounds, known, max(busy_ns) FILTER (WHERE by_busy = n - (n - 1) / 4) AS busy_ns, max(free_ns) FILTER (WHERE by_free = known - (known - 1) / 4) AS free_ns
  FROM placed GROUP BY rank
), met AS (
  SELECT rank, count(*) AS met, total_int(wait_ns) AS wait_ns, total_int(shortest_ns) AS transmit_ns, total_int(late_ns) AS late_ns, max(start_ns + dur_ns) - min(start_ns) AS span_ns
  FROM meeting GROUP BY rank
), known AS (
  SELECT r.rank, coalesce(m.met, 0) AS met, coalesce(m.wait_ns, 0) AS wait_ns, coalesce(m.transmit_ns, 0) AS transmit_ns, m.late_ns, coalesce(s.rounds, 0) AS rounds,
    1.0 * coalesce(p.span_ns, m.span_ns) / CASE source.kind WHEN 'steps' THEN p.steps ELSE s.rounds END AS span_ns, c.slowest, c.part, source.kind,
    1.0 * coalesce(p.span_ns, m.span_ns) AS all_ns, CASE WHEN c.known_ns >= 0.5 * o.total_ns THEN c.ns END AS computing_ns,
    s.busy_ns, s.free_ns, coalesce(s.known, 0) AS known
  FROM rank r LEFT JOIN met m USING (rank) LEFT JOIN steady s USING (rank) LEFT JOIN pace p USING (rank) LEFT JOIN computing c USING (rank) LEFT JOIN load o USING (rank), source
)
SELECT rank, met, wait_ns, transmit_ns, late_ns, rounds, known, kind, slowest, part, span_ns, all_ns, coalesce(computing_ns / all_ns, busy_ns / span_ns) AS computing,
  free_ns / span_ns AS host FROM known;
CREATE UNIQUE INDEX late_by_rank ON late(rank);

-- A straggler is late by 1 % of its steps or more, and by more than chance: by z deviations from the median. A deviation is 1.2533 times what the ranks below the median are
-- away from it on average: stragglers are above. With z = sqrt(2 ln(1000 n)) at most one of a thousand comparisons of n ranks with normal noise has one: by the bound
-- exp(-z z/2) of a tail. What operators take is one number a rank, so that deviations of few ranks are uncertain, and more of them are needed. What a host takes is counted:
-- the rounds in which a rank is late by 1 % are more than those of the median rank by chance, by the bound of Chernoff, with the same probability.
CREATE TABLE voted AS
SELECT o.rank, total_int(coalesce(o.free_ns, 0) >= 0.01 * l.span_ns) AS host, total_int(max(o.busy_ns, 0) + max(coalesce(o.free_ns, 0), 0) >= 0.01 * l.span_ns) AS votes
FROM own o JOIN late l USING (rank) GROUP BY o.rank;
CREATE UNIQUE INDEX voted_by_rank ON voted(rank);
DROP TABLE own;
CREATE TABLE bound AS
WITH share AS (
  SELECT 'computing' AS what, computing AS share FROM late WHERE computing IS NOT NULL UNION ALL SELECT 'host', coalesce(host, 0) FROM late WHERE rounds > 0
  UNION ALL SELECT 'votes', (v.host + 1.0) / (l.rounds + 2) FROM voted v JOIN late l USING (rank)
), placed AS (
  SELECT what, share, row_number() OVER (PARTITION BY what ORDER BY share) AS place, count(*) OVER (PARTITION BY what) AS n FROM share
), middle AS (
  SELECT m.what, m.n, ln(1000.0 * m.n) AS chance, m.share,
    coalesce((SELECT m.share - avg(q.share) FROM placed q WHERE q.what = m.what AND q.place < m.place), 0) AS apart
  FROM placed m WHERE m.place = (m.n + 1) / 2
)
SELECT what, n, chance, CASE WHEN what = 'votes' THEN share
  ELSE share + max(0.01, sqrt(2 * chance) * 1.2533 * apart * CASE WHEN what = 'computing' AND n > 2 THEN (n + 3.0) / (n - 2) ELSE 1 END) END AS share FROM middle;
CREATE TABLE straggler AS
WITH told AS (
  SELECT l.*, coalesce(v.votes, 0) AS votes, coalesce(l.computing > c.share, 0) AS slow, max(coalesce(c.n, 0), coalesce(h.n, 0)) AS n,
    coalesce(l.host > h.share AND (v.host * ln(v.host / (l.known * p.share))
      + CASE WHEN v.host < l.known THEN (l.known - v.host) * ln((l.known - v.host) / (l.known * (1 - p.share))) ELSE 0 END) > p.chance, 0) AS waits
  FROM late l LEFT JOIN voted v USING (rank) LEFT JOIN bound c ON c.what = 'computing' LEFT JOIN bound h ON h.what = 'host' LEFT JOIN bound p ON p.what = 'votes'
)
SELECT rank, met, late_ns, rounds, all_ns, slowest, part, coalesce(computing, 0) AS computing, coalesce(host, 0) AS host,
  CASE kind WHEN 'steps' THEN max(coalesce(computing, 0), 0) + max(coalesce(host, 0), 0) ELSE max(coalesce(computing, 0), coalesce(host, 0)) END AS share,
  CASE WHEN slow AND coalesce(host, 0) <= 2 * computing THEN 'computing' WHEN slow OR waits THEN 'host' END AS cause, kind, votes,
  CASE WHEN NOT slow AND NOT waits THEN 'no' WHEN n < 3 THEN 'unsure' ELSE 'yes' END AS verdict
FROM told;
