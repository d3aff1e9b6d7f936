-- The operators of device :_grp by what the user chose; streams have the tally of their tasks. A ratio of a unit is the mean of its operators', by their time.
WITH item AS (
  SELECT o.id, o.class, CASE o.class WHEN 3 THEN 'AI CPU' WHEN 4 THEN 'comm' ELSE '' END AS kind, n.type, o.count, o.total_ns, o.longest_ns, o.shortest_ns,
    CASE c.grouping WHEN 'type' THEN n.type WHEN 'layer' THEN coalesce(nullif(rtrim(rtrim(n.name, replace(n.name, '/', '')), '/'), ''), n.name) ELSE n.name END AS name
  FROM temp.choice c CROSS JOIN temp.operator o JOIN temp.op_name n ON n.id = o.id
  WHERE c.grouping <> 'stream' AND (o.is_rest = 0 AND o.k1 = :_grp OR o.is_rest = 1 AND (SELECT count(*) FROM temp.pace) = 1)
), busy AS (
  SELECT name, kind, unit, total(ratio * total_ns) / nullif(total(total_ns), 0) AS ratio
  FROM (SELECT i.id, i.name, i.kind, i.total_ns, u.name AS unit, max(u.ratio) AS ratio FROM item i CROSS JOIN temp.op_unit u ON u.id = i.id GROUP BY i.id, u.name)
  GROUP BY name, kind, unit
), unit AS (
  SELECT name, kind, max(ratio) FILTER (WHERE unit = 'mac') AS mac, max(ratio) FILTER (WHERE unit = 'vec') AS vec, max(ratio) FILTER (WHERE unit = 'mte2') AS mte2,
    max(ratio) FILTER (WHERE unit = 'mte3') AS mte3 FROM busy GROUP BY name, kind
), named AS (
  SELECT name, kind, CASE WHEN min(type) IS max(type) THEN min(type) END AS type, CASE WHEN min(class) = max(class) THEN min(class) END AS class,
    total_int(count) AS tasks, total_int(total_ns) AS total, min(shortest_ns) AS shortest, max(longest_ns) AS longest
  FROM item GROUP BY name, kind
), line AS (
  SELECT 0 AS place, '-' AS tasks, CASE g.what WHEN 'iteration' THEN 'Iteration' ELSE 'Collection' END AS name, '-' AS type, p.total_ns AS mean, p.steps AS of,
    p.shortest_ns AS shortest, p.longest_ns AS longest, p.total_ns AS total, '-' AS verdict
  FROM temp.pace p JOIN temp.step_group g ON g.id = p.grp WHERE p.grp = :_grp
  UNION ALL SELECT 1, '-', 'Idle', '-', total_ns, :_steps, shortest_ns, longest_ns, total_ns, '-' FROM temp.part WHERE grp = :_grp AND class IS NULL
  UNION ALL SELECT 2, '-', 'Idle, host late', '-', r.total_ns, :_steps, NULL, NULL, r.total_ns, '-'
  FROM temp.gap_reason r JOIN temp.gap_word w ON w.number = r.reason AND w.name = 'host_late' WHERE (SELECT count(*) FROM temp.pace) = 1
  UNION ALL SELECT 3, n.tasks, n.name, n.type, n.total, n.tasks, n.shortest, n.longest, n.total,
    CASE WHEN n.kind <> '' THEN n.kind WHEN n.class = 0 THEN CASE WHEN u.mac >= :mac THEN 'ok' WHEN u.mte2 >= :mte2 THEN 'mte2' WHEN u.mac IS NOT NULL THEN 'low' END
      WHEN n.class < 3 THEN CASE WHEN u.vec >= :each_unit THEN 'ok' WHEN max(u.mte2, u.mte3) >= :each_unit THEN CASE WHEN u.mte2 >= u.mte3 THEN 'mte2' ELSE 'mte3' END
        WHEN u.vec + u.mte2 + u.mte3 >= :together THEN 'ok' WHEN u.vec IS NOT NULL THEN 'low' END END
  FROM named n LEFT JOIN unit u ON u.name IS n.name AND u.kind = n.kind
  UNION ALL SELECT 3, total_int(count), 'stream ' || k1, NULL, total_int(total), total_int(count), min(shortest), max(longest), total_int(total), NULL FROM tally GROUP BY k1
)
SELECT tasks AS "Tasks", name AS "Name", type AS "Type", decimal(mean, 1000 * of, 2) AS "Mean(us)", decimal(shortest, 1000, 2) AS "Min(us)",
  decimal(longest, 1000, 2) AS "Max(us)", decimal(total, 1000, 2) AS "Total(us)", decimal(100 * total, :_total, 2) AS "Share(%)", verdict AS "Verdict"
FROM line ORDER BY place, total DESC, name
