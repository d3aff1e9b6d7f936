-- @family prof ascend2022
-- @title Headline
-- @needs tasks
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.pace)
-- @rows
SELECT g.title AS "Device", p.steps AS "Steps", decimal(p.total_ns, 1000000 * p.steps, 3) AS "Time(ms)", 
  CASE g.what WHEN 'iteration' THEN decimal(1000000000 * p.steps, p.total_ns, 2) END AS "Steps/s",
  rounded(100 * c.mac_cycles / (p.total_ns / 1000.0 * c.mhz * c.cores), 2) AS "Cube busy(%)", rounded(h.cube_ops * c.mhz * c.cores / 1e6, 1) AS "Peak(TFLOPS)",
  rounded(h.cube_ops * c.mac_cycles / (p.total_ns * 1000.0), 1) AS "Used(TFLOPS)"
FROM temp.pace p JOIN temp.step_group g ON g.id = p.grp LEFT JOIN temp.cube c ON c.grp = p.grp LEFT JOIN temp.chips h ON h.chip = c.chip ORDER BY p.grp
