-- Stragglers that are all ranks of a rack, a host or a stage, but not of the job, are late as one group: the largest of these.
CREATE TABLE unit AS
SELECT r.rank, 1 AS kind, 'rack ' || k.rack AS title FROM rank r JOIN rack k USING (host) UNION ALL SELECT rank, 2, 'host ' || host FROM rank WHERE host IS NOT NULL
UNION ALL SELECT rank, 3, 'the stage of rank ' || stage FROM stage WHERE stage >= 0;
CREATE TABLE cohort AS
WITH whole AS (
  SELECT u.kind, u.title, s.cause, count(*) AS ranks FROM unit u JOIN straggler s USING (rank) GROUP BY u.kind, u.title
  HAVING count(*) > 1 AND min(s.verdict = 'yes') AND count(*) < (SELECT ranks FROM told) AND min(s.cause) = max(s.cause)
), placed AS (
  SELECT u.rank, w.title, w.ranks, row_number() OVER (PARTITION BY u.rank ORDER BY w.ranks DESC, w.kind) AS place FROM unit u JOIN whole w USING (kind, title)
)
SELECT rank, title, ranks FROM placed WHERE place = 1;
CREATE UNIQUE INDEX cohort_by_rank ON cohort(rank);
DROP TABLE unit;

-- A sentence for each group and each other straggler: who, by how much, and what takes the time.
CREATE TABLE verdict AS
SELECT min(s.rank) AS first, max(s.share) AS share,
  CASE WHEN c.title IS NULL THEN 'rank ' || s.rank || ' is' ELSE count(*) || ' ranks, all of ' || c.title || ' (' || min(s.rank) || ' to ' || max(s.rank) || '), are' END
  || ' late by ' || fixed(max(s.share) * 100, 1) || ' % of the steps: '
  || CASE s.cause WHEN 'computing' THEN 'computing, ' || coalesce(s.slowest || ' takes ' || fixed(s.part * 100, 1) || ' % longer than on the median rank', 'not told by operators')
    WHEN 'host' THEN 'the host, in ' || s.votes || ' of ' || s.rounds || ' ' || s.kind || ' the device has nothing to do for longer than others' ELSE '' END AS text
FROM straggler s LEFT JOIN cohort c USING (rank) WHERE s.verdict = 'yes' GROUP BY coalesce(c.title, s.rank);
