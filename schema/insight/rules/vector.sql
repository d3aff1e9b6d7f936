-- @family prof ascend2022
-- @title Vector operator that no unit bounds
-- @needs tasks
-- @advice Use double buffers and larger blocks, so that loads, computing and stores overlap.
-- @start {subject} (no unit bounds it)
-- @several {count} vector operators that no unit bounds
-- @source vec + mte2 + mte3 below {together} and each below {each_unit}, at least {least_share%} % of the time: the vendor's own analysis
-- @formula time x (1 - (vec + mte2 + mte3) / {together})
-- @each
WITH unit AS (
  SELECT id, core, total(ratio) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS busy, max(ratio) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS most,
    count(*) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS units
  FROM temp.op_unit WHERE id IN (SELECT o.id FROM temp.operator o JOIN temp.pace p ON p.grp = o.k1 WHERE o.total_ns >= :least_share * p.total_ns) GROUP BY id, core
)
SELECT n.name AS subject, p.mean_ns AS step_ns, o.total_ns / p.steps AS time_ns,
  CAST(o.total_ns / p.steps * (1 - u.busy / :together) AS INTEGER) AS saving_ns,
  'medium' AS confidence, printf('%.1f us x (1 - (%.3f in vec + mte2 + mte3) / %.1f)', o.total_ns / p.steps / 1000.0, u.busy, :together) AS formula, o.id AS _op, p.grp AS _grp
FROM unit u JOIN temp.operator o ON o.id = u.id JOIN temp.op_name n ON n.id = o.id JOIN temp.pace p ON p.grp = o.k1
WHERE o.class = 1 AND u.units = 3 AND u.busy < :together AND u.most < :each_unit ORDER BY 4 DESC, o.id
-- @rows
SELECT n.name AS "Operator", n.number AS "Task ID", o.count AS "Tasks", decimal(o.total_ns, 1000 * o.count, 3) AS "Mean(us)", decimal(o.longest_ns, 1000, 3) AS "Max(us)",
  n.type AS "Type", u.core AS "Core", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mac'), 2) AS "mac(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'vec'), 2) AS "vec(%)", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'scalar'), 2) AS "scalar(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte1'), 2) AS "mte1(%)", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte2'), 2) AS "mte2(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte3'), 2) AS "mte3(%)"
FROM temp.op_unit u JOIN temp.operator o ON o.id = u.id JOIN temp.op_name n ON n.id = o.id WHERE u.id = :_op GROUP BY u.core ORDER BY u.core
-- @why
SELECT 'no vector operator has counters of pipes'
WHERE NOT EXISTS (SELECT 1 FROM temp.op_unit u JOIN temp.operator o ON o.id = u.id AND o.class = 1 WHERE u.name = 'vec')
