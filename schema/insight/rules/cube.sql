-- @family prof ascend2022
-- @title Cube operator below its bounds
-- @needs tasks
-- @advice Choose shapes in multiples of 16 (int8: 32), larger tiles or another tiling: neither the cube unit nor the load of memory is busy.
-- @start {subject} (neither mac nor mte2 busy)
-- @several {count} cube operators below their bounds
-- @source mac at least {mac} or mte2 at least {mte2}: the vendor's own analysis
-- @formula time x max({mac} - mac, {mte2} - mte2)
-- @each
SELECT n.name AS subject, p.mean_ns AS step_ns, o.total_ns / p.steps AS time_ns,
  CAST(o.total_ns / p.steps * max(:mac - m.ratio, :mte2 - l.ratio) AS INTEGER) AS saving_ns,
  'medium' AS confidence, printf('%.1f us x max(%.2f - %.3f, %.2f - %.3f)', o.total_ns / p.steps / 1000.0, :mac, m.ratio, :mte2, l.ratio) AS formula, o.id AS _op, p.grp AS _grp
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id JOIN temp.pace p ON p.grp = o.k1
JOIN temp.op_unit m ON m.id = o.id AND m.core = 'aic' AND m.name = 'mac' JOIN temp.op_unit l ON l.id = o.id AND l.core = 'aic' AND l.name = 'mte2'
WHERE o.class = 0 AND m.ratio < :mac AND l.ratio < :mte2 AND o.total_ns >= :least_share * p.total_ns ORDER BY 4 DESC, o.id
-- @rows
SELECT n.name AS "Operator", n.number AS "Task ID", o.count AS "Tasks", decimal(o.total_ns, 1000 * o.count, 3) AS "Mean(us)", decimal(o.longest_ns, 1000, 3) AS "Max(us)",
  n.type AS "Type", u.core AS "Core", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mac'), 2) AS "mac(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'vec'), 2) AS "vec(%)", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'scalar'), 2) AS "scalar(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte1'), 2) AS "mte1(%)", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte2'), 2) AS "mte2(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte3'), 2) AS "mte3(%)"
FROM temp.op_unit u JOIN temp.operator o ON o.id = u.id JOIN temp.op_name n ON n.id = o.id WHERE u.id = :_op GROUP BY u.core ORDER BY u.core
-- @why
SELECT 'no cube operator has counters of pipes' WHERE NOT EXISTS (SELECT 1 FROM temp.op_unit u JOIN temp.operator o ON o.id = u.id AND o.class = 0)
