-- What is told of clocks, and the notes.
CREATE TABLE clock AS
WITH middle AS (
  SELECT ns FROM (SELECT ns, row_number() OVER (ORDER BY ns) AS place, count(*) OVER () AS n FROM reached) WHERE n > 2 AND place = (n + 1) / 2
)
SELECT rank, ns - coalesce((SELECT ns FROM middle), 0) AS offset_ns, collectives FROM reached;

CREATE TABLE note(text TEXT);
INSERT INTO note SELECT 'ranks are told by the rank_id of their info.json' FROM told WHERE by_id AND ranks > 0;
INSERT INTO note SELECT 'ranks are counted by host and device: not all have a rank_id of their own' FROM told WHERE NOT by_id;
INSERT INTO note SELECT 'the rank_id ' || rank_id || ' is that of ' || count(*) || ' devices' FROM rank_row WHERE rank_id IS NOT NULL GROUP BY rank_id HAVING count(*) > 1
ORDER BY rank_id LIMIT 20;
INSERT INTO note SELECT ranks || ' of ' || rank_size || ' ranks are here' FROM told WHERE ranks < rank_size;
WITH RECURSIVE number AS (SELECT 0 AS rank UNION ALL SELECT rank + 1 FROM number WHERE rank + 1 < (SELECT min(max(coalesce(rank_size, 0), (SELECT max(rank) + 1 FROM rank)), 100000) FROM told))
INSERT INTO note SELECT 'rank ' || rank || ' is missing' FROM number WHERE (SELECT by_id FROM told) AND rank NOT IN (SELECT rank FROM rank) LIMIT 20;
INSERT INTO note SELECT 'the ranks are of ' || jobs || ' different jobs' FROM told WHERE jobs > 1;
INSERT INTO note SELECT 'no collective operation was recorded by two ranks: stragglers are told by their operators, and clocks cannot be told'
FROM told WHERE ranks > 1 AND NOT EXISTS (SELECT 1 FROM met);
INSERT INTO note SELECT '2 ranks are too few for a test: who begins last more often is told, and no verdict' FROM told WHERE ranks = 2;
INSERT INTO note SELECT 'the clock of rank ' || rank || ' is ' || CASE WHEN offset_ns < 0 THEN 'behind' ELSE 'ahead of' END || ' the others by '
  || decimal(abs(offset_ns), 1000, 3) || ' us' FROM clock WHERE abs(offset_ns) > 1000000 ORDER BY rank LIMIT 20;
INSERT INTO note SELECT 'data of rank ' || rank || ' is damaged or missing: msprof check tells where' FROM rank WHERE damaged ORDER BY rank LIMIT 20;
INSERT INTO note SELECT 'these tables have no row: ' || group_concat(title, ', ')
FROM (SELECT 'Stragglers' AS title WHERE NOT EXISTS (SELECT 1 FROM straggler WHERE votes > 0) UNION ALL SELECT 'Links, Matrix' WHERE NOT EXISTS (SELECT 1 FROM link)
  UNION ALL SELECT 'Operators' WHERE NOT EXISTS (SELECT 1 FROM operator) UNION ALL SELECT 'Steps' WHERE NOT EXISTS (SELECT 1 FROM step)
  UNION ALL SELECT 'Clocks' WHERE NOT EXISTS (SELECT 1 FROM clock)) HAVING count(*);
