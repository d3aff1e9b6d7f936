-- @family svp
-- @title Headline
-- @needs tasks
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.pace)
-- @rows
SELECT g.title AS "Model", p.steps AS "Inferences", decimal(p.total_ns, 1000000 * p.steps, 3) AS "Time(ms)",
  decimal(1000000000 * p.steps, p.total_ns, 2) AS "Fps(start to end)", decimal(1000000000 * p.steps, o.core_ns, 2) AS "Fps(core only)",
  decimal(o.bytes * s.shown, 1000000 * p.steps, 3) AS "DDR(MB)", decimal(1000 * o.bytes * s.shown, p.total_ns, 2) AS "DDR(MB/s)",
  decimal(100 * o.mac_ppen, o.matrix_cycles, 2) AS "Mac Ppen of matrix layers(%)"
FROM counters s CROSS JOIN temp.pace p JOIN temp.step_group g ON g.id = p.grp JOIN (
  SELECT k1 AS grp, total_int(total_ns) FILTER (WHERE k4 = 0) AS core_ns, total_int(ddr_read_bytes + ddr_write_bytes) AS bytes,
    total_int(mac_ppen) FILTER (WHERE class = 0) AS mac_ppen, total_int(cycles) FILTER (WHERE class = 0) AS matrix_cycles
  FROM temp.operator WHERE NOT is_rest GROUP BY k1) o ON o.grp = p.grp ORDER BY p.grp
