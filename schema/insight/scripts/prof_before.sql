-- A group is a device. Its steps are iterations where they are recorded, of one model, and do not overlap; else the whole collection is one step.
-- Where the user chose, only chosen iterations are steps, of any model.
CREATE TEMP TABLE type_class(hash INTEGER PRIMARY KEY, class INTEGER, converts INTEGER);
INSERT INTO temp.type_class
SELECT n.hash, min(c.class), max(c.converts) FROM name n JOIN temp.operator_class c ON c.family = 'ascend' AND lower(n.name) GLOB c.pattern GROUP BY n.hash;

CREATE TEMP TABLE op_class(k1 INTEGER, k2 INTEGER, k3 INTEGER, k4 INTEGER, class INTEGER);

CREATE TEMP TABLE device_track AS SELECT DISTINCT device_id AS track FROM source WHERE device_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM task t WHERE t.start_ns IS NOT NULL) ORDER BY 1;
CREATE TEMP TABLE range(track INTEGER, id INTEGER PRIMARY KEY, start_ns INTEGER, end_ns INTEGER, iteration INTEGER, model_id INTEGER, index_id INTEGER);
INSERT INTO temp.range
SELECT device_id AS track, row_number() OVER (ORDER BY device_id, end_ns) + 1000000 AS id, start_ns, end_ns, iteration, s.model_id, index_id
FROM (SELECT *, lag(end_ns) OVER (PARTITION BY device_id ORDER BY end_ns) AS last_ns, count(*) OVER (PARTITION BY device_id) AS steps,
        count(*) OVER (PARTITION BY device_id, model_id) AS of_model FROM main.step
      WHERE start_ns IS NOT NULL AND end_ns > start_ns AND (model_id <> 4294967295 OR (SELECT model_id = 4294967295 FROM temp.choice)
        OR NOT EXISTS (SELECT 1 FROM main.step WHERE model_id <> 4294967295))) s
CROSS JOIN temp.choice c WHERE c.chosen OR steps = of_model;
DELETE FROM temp.range WHERE track IN (SELECT r.track FROM temp.range r JOIN temp.range n ON n.track = r.track AND n.id = r.id + 1 AND n.start_ns < r.end_ns);
DELETE FROM temp.range WHERE EXISTS (SELECT 1 FROM temp.choice c WHERE range.model_id IS NOT coalesce(c.model_id, range.model_id) OR index_id IS NOT coalesce(c.step, index_id));
DELETE FROM temp.device_track WHERE (SELECT chosen FROM temp.choice) AND track NOT IN (SELECT track FROM temp.range);
