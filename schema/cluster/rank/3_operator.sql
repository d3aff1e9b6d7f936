-- Operators in steps, the 200 with the most time of each device.
-- @family prof
-- @style any
-- @title operator
-- @facts
-- @each
SELECT 1 AS _any
-- @rows
WITH op AS (
  SELECT g.device_id, coalesce(replace(n.name, char(31), ','), 'unnamed') AS name, CAST(n.type AS TEXT) AS type, total_int(o.count) AS tasks,
    total_int(o.total_ns) AS total_ns, min(o.shortest_ns) AS shortest_ns, max(o.longest_ns) AS longest_ns
  FROM temp.operator o JOIN temp.op_name n ON n.id = o.id JOIN temp.step_group g ON g.id = o.k1 WHERE o.class <> 4
  GROUP BY g.device_id, n.name, n.type
)
SELECT device_id, name, type, tasks, total_ns, shortest_ns, longest_ns
FROM (SELECT *, row_number() OVER (PARTITION BY device_id ORDER BY total_ns DESC, name, type) AS place FROM op) WHERE place <= 200 ORDER BY device_id, place
