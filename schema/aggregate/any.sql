-- The aggregates of all families, from the facts of a job (docs/INSIGHT.md). A number beyond 64 bits becomes the nearest one within, by CAST.

-- A rank that is no whole number of 32 bits, or -1 as such a number, is not known.
INSERT INTO temp.aggregate_job
WITH said AS (
  SELECT file, json_extract(text, '$.hostname') AS host, json_extract(text, '$.rank_id') AS rank_id, json_extract(text, '$.drvVersion') AS driver,
    json_extract(text, '$.platform_version') AS chip
  FROM control WHERE name = 'info.json' AND json_valid(text)
), facts AS (
  SELECT max(CAST(value AS TEXT)) FILTER (WHERE key = 'family') AS family, max(CAST(value AS INTEGER)) FILTER (WHERE key = 'begin_ns') AS begin_ns,
    max(CAST(value AS INTEGER)) FILTER (WHERE key = 'wall_offset_ns') AS wall_offset_ns
  FROM meta
)
SELECT f.family, (SELECT CAST(max(host) AS TEXT) FROM said), (SELECT max(CAST(rank_id AS INTEGER)) FROM said
    WHERE CAST(CAST(rank_id AS INTEGER) AS TEXT) = CAST(rank_id AS TEXT) AND CAST(rank_id AS INTEGER) BETWEEN 0 AND 4294967294),
  (SELECT CAST(max(driver) AS TEXT) FROM said), (SELECT CAST(max(chip) AS TEXT) FROM said),
  CAST(coalesce(f.begin_ns + f.wall_offset_ns, (SELECT min(host_realtime_ns) FROM device WHERE typeof(host_realtime_ns) = 'integer'),
    (SELECT min(CAST(json_extract(info, '$.clock_realtime_ns') AS INTEGER)) FROM device WHERE json_valid(info))) AS INTEGER),
  f.wall_offset_ns, (SELECT count(*) FROM device WHERE device_id >= 0), EXISTS (SELECT 1 FROM loss)
FROM facts f;

-- Inferences, iterations, or a collection as a whole.
INSERT INTO temp.aggregate_step
SELECT s.device_id, g.title, s.number, CAST(s.label AS TEXT), s.start_ns, s.span_ns,
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class IN (0, 1, 2, 5)),
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class = 3),
  (SELECT coalesce(total_int(t.own_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class = 4),
  (SELECT coalesce(total_int(t.alone_ns), 0) FROM temp.window_time t WHERE t.window = s.id AND t.class = 4), s.idle_ns, 0
FROM temp.step s LEFT JOIN temp.step_group g ON g.id = s.grp WHERE s.start_ns IS NOT NULL AND s.span_ns IS NOT NULL ORDER BY s.grp, s.number;

-- Operators with the times of their tasks. Several operators of one name, such as those of other sizes, are one row.
INSERT INTO temp.aggregate_operator
SELECT g.device_id, g.title, coalesce(replace(n.name, char(31), ','), 'unnamed'), CAST(n.type AS TEXT), c.number, c.title, total_int(o.count), total_int(o.total_ns),
  min(o.shortest_ns), max(o.longest_ns), total_int(o.alone_ns)
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id JOIN temp.class c ON c.number = o.class LEFT JOIN temp.step_group g ON g.id = o.k1
GROUP BY o.k1, n.name, n.type, o.class ORDER BY min(o.id);
