-- The operators with the most time, with the busy shares of the units of their cores. What decides comes first: a narrow page shows those columns.
-- @family prof ascend2022
-- @needs tasks
-- @each
SELECT count(*) AS omitted, coalesce(total_int(total_ns), 0) AS omitted_time_ns FROM (SELECT total_ns FROM temp.operator ORDER BY total_ns DESC, id LIMIT -1 OFFSET 1000)
-- @rows
WITH item AS MATERIALIZED (
  SELECT * FROM temp.operator ORDER BY total_ns DESC, id LIMIT 1000
), unit AS MATERIALIZED (
  SELECT u.id, max(u.ratio) FILTER (WHERE u.name = 'mac') AS mac, max(u.ratio) FILTER (WHERE u.name = 'vec') AS vec,
    max(u.ratio) FILTER (WHERE u.name = 'scalar') AS scalar, max(u.ratio) FILTER (WHERE u.name = 'mte1') AS mte1,
    max(u.ratio) FILTER (WHERE u.name = 'mte2') AS mte2, max(u.ratio) FILTER (WHERE u.name = 'mte3') AS mte3
  FROM item i JOIN temp.op_unit u ON u.id = i.id GROUP BY u.id
)
SELECT n.name AS "name:Operator", o.total_ns / 1000.0 AS "time_us:Time(us)", 1.0 * o.total_ns / p.total_ns AS "share:Share(share)",
  CASE o.class WHEN 3 THEN 'AI CPU' WHEN 4 THEN 'comm' WHEN 0 THEN CASE WHEN u.mac >= :mac THEN 'ok' WHEN u.mte2 >= :mte2 THEN 'mte2' WHEN u.mac IS NOT NULL THEN 'low' END
    WHEN 5 THEN NULL ELSE CASE WHEN u.vec >= :each_unit THEN 'ok' WHEN max(u.mte2, u.mte3) >= :each_unit THEN CASE WHEN u.mte2 >= u.mte3 THEN 'mte2' ELSE 'mte3' END
      WHEN u.vec + u.mte2 + u.mte3 >= :together THEN 'ok' WHEN u.vec IS NOT NULL THEN 'low' END END AS "verdict:Verdict",
  rounded(u.mac, 4) AS "mac:mac(share)", rounded(u.vec, 4) AS "vec:vec(share)", rounded(u.scalar, 4) AS "scalar:scalar(share)", rounded(u.mte1, 4) AS "mte1:mte1(share)",
  rounded(u.mte2, 4) AS "mte2:mte2(share)", rounded(u.mte3, 4) AS "mte3:mte3(share)", decimal(o.total_ns, 1000 * o.count, 3) AS "mean_us:Mean(us)", o.count AS "tasks:Tasks",
  n.blocks AS "blocks:Blocks", c.title AS "class:Class", n.type AS "type:Type", g.title AS "group:Device", o.shortest_ns / 1000.0 AS "min_us:Min(us)",
  o.longest_ns / 1000.0 AS "max_us:Max(us)"
FROM item o JOIN temp.op_name n ON n.id = o.id LEFT JOIN unit u ON u.id = o.id
LEFT JOIN temp.step_group g ON g.id = o.k1 AND NOT o.is_rest LEFT JOIN temp.pace p ON p.grp = o.k1 AND NOT o.is_rest LEFT JOIN temp.class c ON c.number = o.class
ORDER BY o.total_ns DESC, o.id
