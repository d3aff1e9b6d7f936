-- The operators with the most time. This generation has no counters.
-- @needs tasks
-- @each
SELECT count(*) AS omitted, coalesce(total_int(total_ns), 0) AS omitted_time_ns FROM (SELECT total_ns FROM temp.operator ORDER BY total_ns DESC, id LIMIT -1 OFFSET 1000)
-- @rows
SELECT n.name AS "name:Operator", o.total_ns / 1000.0 AS "time_us:Time(us)", 1.0 * o.total_ns / p.total_ns AS "share:Share(share)",
  decimal(o.total_ns, 1000 * o.count, 3) AS "mean_us:Mean(us)", o.count AS "tasks:Tasks", c.title AS "class:Class", n.type AS "type:Type", g.title AS "group:Device",
  o.shortest_ns / 1000.0 AS "min_us:Min(us)", o.longest_ns / 1000.0 AS "max_us:Max(us)"
FROM (SELECT * FROM temp.operator ORDER BY total_ns DESC, id LIMIT 1000) o JOIN temp.op_name n ON n.id = o.id
LEFT JOIN temp.step_group g ON g.id = o.k1 AND NOT o.is_rest LEFT JOIN temp.pace p ON p.grp = o.k1 AND NOT o.is_rest LEFT JOIN temp.class c ON c.number = o.class
ORDER BY o.total_ns DESC, o.id
