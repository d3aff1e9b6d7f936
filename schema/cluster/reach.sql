-- The clocks of ranks that met one whose clock is known: those of one step.
INSERT INTO reached
WITH missing AS (
  SELECT r.rank FROM rank r WHERE r.wall_offset_ns IS NOT NULL AND r.rank NOT IN (SELECT rank FROM reached)
), known AS (
  SELECT m.met, min(m.rank) AS rank, m.end_ns - r.ns AS end_ns FROM meeting m JOIN reached r ON r.rank = m.rank
  WHERE m.met IN (SELECT m.met FROM missing u JOIN meeting m ON m.rank = u.rank) GROUP BY m.met
), apart AS (
  SELECT m.rank, m.end_ns - k.end_ns AS ns FROM known k JOIN meeting m ON m.met = k.met WHERE m.rank IN (SELECT rank FROM missing)
), sorted AS (
  SELECT rank, ns, row_number() OVER (PARTITION BY rank ORDER BY ns) AS place, count(*) OVER (PARTITION BY rank) AS n FROM apart
)
SELECT rank, CAST(avg(ns) AS INTEGER), max(n) FROM sorted WHERE place IN ((n + 1) / 2, (n + 2) / 2) GROUP BY rank;
