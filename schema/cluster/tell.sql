-- What is told of clocks, and the notes.
CREATE TABLE clock AS
WITH middle AS (
  SELECT stage, ns FROM (SELECT s.stage, r.ns, row_number() OVER (PARTITION BY s.stage ORDER BY r.ns) AS place, count(*) OVER (PARTITION BY s.stage) AS n
    FROM reached r JOIN stage s USING (rank)) WHERE n > 2 AND place = (n + 1) / 2
)
SELECT r.rank, r.ns - coalesce(m.ns, 0) AS offset_ns, r.collectives FROM reached r JOIN stage s USING (rank) LEFT JOIN middle m USING (stage);

-- A collective of a group occurs on all of its ranks: there it overlaps, once clocks are aligned. Clocks drift, by 1000 ppm at most; where most collectives of a rank
-- overlap those of no other, its times are of another unit, or of another run. A rank overlaps others between the first start and the last end of these.
CREATE TABLE apart AS
WITH aligned AS (
  SELECT m.met, m.rank, m.end_ns - r.ns - m.dur_ns AS start_ns, m.end_ns - r.ns AS end_ns FROM meeting m JOIN reached r ON r.rank = m.rank WHERE m.end_ns IS NOT NULL
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY met ORDER BY end_ns DESC, rank) AS from_last, row_number() OVER (PARTITION BY met ORDER BY start_ns, rank) AS from_first,
    1000000 + abs(end_ns - avg(end_ns) OVER (PARTITION BY rank)) / 1000 AS slack_ns FROM aligned
), edge AS (
  SELECT met, max(end_ns) AS last_ns, max(end_ns) FILTER (WHERE from_last = 2) AS second_last_ns, min(start_ns) AS first_ns, min(start_ns) FILTER (WHERE from_first = 2) AS second_first_ns
  FROM placed GROUP BY met HAVING count(*) > 1
)
SELECT p.rank, count(*) AS met, total_int(p.start_ns > CASE p.from_last WHEN 1 THEN e.second_last_ns ELSE e.last_ns END + p.slack_ns
    OR p.end_ns < CASE p.from_first WHEN 1 THEN e.second_first_ns ELSE e.first_ns END - p.slack_ns) AS alone
FROM placed p JOIN edge e USING (met) GROUP BY p.rank;
DELETE FROM apart WHERE met < 4 OR alone * 2 <= met;

-- Ranks whose data is in doubt. What contradicts itself decides nothing.
CREATE TABLE doubt AS
SELECT rank, standing = 'contradicted' AS contradicted, 'rank ' || rank || ': ' || reason AS text FROM rank WHERE reason IS NOT NULL
UNION ALL SELECT rank, 1,
  'rank ' || rank || ': ' || alone || ' of its ' || met || ' collectives overlap those of no other rank, once clocks are aligned: its times are of another unit, or of another run'
FROM apart ORDER BY contradicted DESC, rank;

UPDATE straggler SET verdict = 'unsure' WHERE verdict = 'yes' AND EXISTS (SELECT 1 FROM doubt WHERE contradicted);

CREATE TABLE note(text TEXT, kind TEXT DEFAULT 'note', file TEXT);
INSERT INTO note(text) SELECT text FROM verdict WHERE NOT EXISTS (SELECT 1 FROM doubt WHERE contradicted) ORDER BY share DESC, first LIMIT 20;
INSERT INTO note(text) SELECT text FROM ended ORDER BY rank LIMIT 20;
INSERT INTO note(text) SELECT text FROM doubt LIMIT 20;
INSERT INTO note(text) SELECT 'data of ' || count(DISTINCT rank) || ' ranks contradicts itself or that of the others: no rank is called a straggler' FROM doubt WHERE contradicted HAVING count(*);
INSERT INTO note(text) SELECT 'ranks are told by the rank_id of their info.json' FROM told WHERE by_id AND ranks > 0;
INSERT INTO note(text) SELECT 'ranks are counted by host and device: not all have a rank_id of their own' FROM told WHERE NOT by_id;
INSERT INTO note(text) SELECT 'the rank_id ' || rank_id || ' is that of ' || count(*) || ' devices' FROM rank_row WHERE rank_id IS NOT NULL GROUP BY rank_id HAVING count(*) > 1
ORDER BY rank_id LIMIT 20;
INSERT INTO note(text) SELECT ranks || ' of ' || rank_size || ' ranks are here' FROM told WHERE ranks < rank_size;
WITH RECURSIVE number AS (SELECT 0 AS rank UNION ALL SELECT rank + 1 FROM number WHERE rank + 1 < (SELECT min(max(coalesce(rank_size, 0), (SELECT max(rank) + 1 FROM rank)), 100000) FROM told))
INSERT INTO note(text) SELECT 'rank ' || rank || ' is missing' FROM number WHERE (SELECT by_id FROM told) AND rank NOT IN (SELECT rank FROM rank) LIMIT 20;
INSERT INTO note(text) SELECT 'the ranks are of ' || jobs || ' different jobs' FROM told WHERE jobs > 1;
INSERT INTO note(text) SELECT 'no collective operation was recorded by two ranks: stragglers are told by their operators, and clocks cannot be told'
FROM told WHERE ranks > 1 AND NOT EXISTS (SELECT 1 FROM met);
INSERT INTO note(text) SELECT '2 ranks are too few for a test: who begins last more often is told, and no verdict' FROM told WHERE ranks = 2;
INSERT INTO note(text) SELECT 'the clock of rank ' || rank || ' is ' || CASE WHEN offset_ns < 0 THEN 'behind' ELSE 'ahead of' END || ' the others by '
  || decimal(abs(offset_ns), 1000, 3) || ' us' FROM clock WHERE abs(offset_ns) > 1000000 ORDER BY rank LIMIT 20;
-- Cores that run slower than those of most ranks.
WITH placed AS (
  SELECT mean_mhz, row_number() OVER (ORDER BY mean_mhz) AS place, count(*) OVER () AS n FROM rank WHERE mean_mhz > 0
), middle AS (
  SELECT avg(mean_mhz) AS mhz FROM placed WHERE n > 2 AND place IN ((n + 1) / 2, (n + 2) / 2)
)
INSERT INTO note(text) SELECT 'the cores of rank ' || r.rank || ' ran at ' || r.mean_mhz || ' MHz on average, ' || r.lowest_mhz || ' at the lowest; the median of the ranks is '
  || CAST(round(m.mhz) AS INTEGER) || ' MHz' FROM rank r CROSS JOIN middle m WHERE r.mean_mhz <= 0.95 * m.mhz ORDER BY r.mean_mhz, r.rank LIMIT 20;
INSERT INTO note(text) SELECT 'data of rank ' || rank || ' is damaged or missing: msprof check tells where' FROM rank WHERE damaged ORDER BY rank LIMIT 20;
INSERT INTO note(text) SELECT 'these tables have no row: ' || group_concat(title, ', ')
FROM (SELECT 'Stragglers' AS title WHERE NOT EXISTS (SELECT 1 FROM straggler WHERE votes > 0 OR verdict <> 'no') UNION ALL SELECT 'Links, Matrix' WHERE NOT EXISTS (SELECT 1 FROM link)
  UNION ALL SELECT 'Operators' WHERE NOT EXISTS (SELECT 1 FROM operator) UNION ALL SELECT 'Steps' WHERE NOT EXISTS (SELECT 1 FROM step)
  UNION ALL SELECT 'Clocks' WHERE NOT EXISTS (SELECT 1 FROM clock)) HAVING count(*);
