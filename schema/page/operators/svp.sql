-- The operators with the most time, those of the core and those of the AI CPU. What decides comes first: a narrow page shows those columns.
-- @needs tasks
-- @each
SELECT count(*) AS omitted, coalesce(total_int(total_ns), 0) AS omitted_time_ns FROM (SELECT total_ns FROM temp.operator ORDER BY total_ns DESC, id LIMIT -1 OFFSET 1000)
-- @rows
SELECT n.name AS "name:Operator", o.total_ns / 1000.0 AS "time_us:Time(us)", 1.0 * o.total_ns / p.total_ns AS "share:Share(share)",
  CASE WHEN o.k4 = 1 THEN 'AI CPU' WHEN o.is_rest OR o.cycles = 0 THEN NULL
    WHEN CASE o.class WHEN 0 THEN o.mac_ppen / :mac_ppen ELSE o.vec_ppen / :vec_ppen END >= o.cycles THEN 'ok'
    WHEN o.dld > :dld * o.cycles THEN 'DLD' WHEN o.wld > :wld * o.cycles THEN 'WLD' WHEN o.dstr > :dstr * o.cycles THEN 'Dstr' ELSE 'low' END AS "verdict:Verdict",
  rounded(1.0 * o.mac_ppen / nullif(o.cycles, 0), 4) AS "mac_ppen:Mac Ppen(share)", rounded(1.0 * o.vec_ppen / nullif(o.cycles, 0), 4) AS "vec_ppen:Vec Ppen(share)",
  decimal(o.ddr_read_bytes * s.shown, 1000 * o.count, 3) AS "ddr_read_kb:DDR read(kB)", decimal(o.ddr_write_bytes * s.shown, 1000 * o.count, 3) AS "ddr_write_kb:DDR written(kB)",
  decimal(o.total_ns, 1000 * o.count, 3) AS "mean_us:Mean(us)", o.count AS "tasks:Tasks", CASE o.k4 WHEN 1 THEN 'AI CPU' ELSE c.title END AS "class:Class",
  n.type AS "type:Type", g.title AS "group:Model", o.shortest_ns / 1000.0 AS "min_us:Min(us)", o.longest_ns / 1000.0 AS "max_us:Max(us)"
FROM (SELECT * FROM temp.operator ORDER BY total_ns DESC, id LIMIT 1000) o CROSS JOIN counters s JOIN temp.op_name n ON n.id = o.id
LEFT JOIN temp.step_group g ON g.id = o.k1 AND NOT o.is_rest LEFT JOIN temp.pace p ON p.grp = o.k1 AND NOT o.is_rest LEFT JOIN temp.class c ON c.number = o.class
ORDER BY o.total_ns DESC, o.id
