-- Operators with the times of their tasks. Several operators of one name, such as those of other sizes, are one row.
-- @title operator
-- @family any
-- @style any
-- @types int? text? text text? text int int int int int
-- @each
SELECT 1 AS _one
-- @rows
SELECT g.device_id, g.title AS track, coalesce(replace(n.name, char(31), ','), 'unnamed') AS name, CAST(n.type AS TEXT) AS type, c.title AS class,
  total_int(o.count) AS tasks, total_int(o.total_ns) AS total_ns, min(o.shortest_ns) AS shortest_ns, max(o.longest_ns) AS longest_ns,
  total_int(o.alone_ns) AS alone_ns
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id JOIN temp.class c ON c.number = o.class LEFT JOIN temp.step_group g ON g.id = o.k1
GROUP BY o.k1, n.name, n.type, o.class ORDER BY min(o.id)
