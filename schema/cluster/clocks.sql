-- A collective ends at about the same moment on all ranks, so what the ends differ by is the difference of the clocks: the median over all of them, against one rank of
-- each stage; and then against the median of the stage, where it has three ranks or more. The one rank is the first, or of several stages the one that began when most did.
-- A rank that never met it is compared with those that did, and so on: cluster/reach.sql is run until it reaches no more.
CREATE TABLE reached(rank INTEGER PRIMARY KEY, ns INTEGER, collectives INTEGER);
INSERT INTO reached
WITH begun AS (
  SELECT m.rank, s.stage, min(m.end_ns) AS ns, count(*) AS met FROM meeting m JOIN stage s USING (rank) WHERE m.end_ns IS NOT NULL GROUP BY m.rank
), placed AS (
  SELECT *, row_number() OVER (ORDER BY ns) AS place, count(*) OVER () AS n FROM begun
), near AS (
  SELECT p.rank, p.stage, p.met, row_number() OVER (PARTITION BY p.stage ORDER BY CASE WHEN (SELECT count(DISTINCT stage) FROM begun) > 1 THEN abs(p.ns - m.ns) END, p.rank) AS place
  FROM placed p JOIN placed m ON m.place = (m.n + 1) / 2
)
SELECT rank, 0, met FROM near WHERE place = 1;
