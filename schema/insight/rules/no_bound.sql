-- @family prof ascend2022
-- @title Operator in which no unit is busy
-- @needs tasks
-- @advice No unit works most of the time: use double buffers, fewer synchronisations between units, and larger blocks.
-- @start {subject} (no unit busy)
-- @several {count} operators in which no unit is busy
-- @source no unit at least {busy}, and at least {least_us} us: the vendor's own analysis; at least {least_share%} % of a step: ours; operators of the rules cube, vector and conversion are theirs
-- @formula time x (1 - busiest unit / {busy})
-- @threshold busy 0.8
-- @each
WITH unit AS (
  SELECT id, max(ratio) AS most, max(ratio) FILTER (WHERE name = 'mac') AS mac, max(ratio) FILTER (WHERE name = 'mte2') AS mte2,
    total(ratio) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS vector, max(ratio) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS vector_most,
    count(*) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS vector_units
  FROM temp.op_unit WHERE id IN (SELECT o.id FROM temp.operator o JOIN temp.pace p ON p.grp = o.k1 WHERE o.total_ns >= :least_share * p.total_ns) GROUP BY id
)
SELECT n.name AS subject, p.mean_ns AS step_ns, o.total_ns / p.steps AS time_ns,
  CAST(o.total_ns / p.steps * (1 - u.most / :busy) AS INTEGER) AS saving_ns,
  'medium' AS confidence, printf('%.1f us x (1 - %.3f / %.1f)', o.total_ns / p.steps / 1000.0, u.most, :busy) AS formula, o.id AS _op, p.grp AS _grp
FROM unit u JOIN temp.operator o ON o.id = u.id JOIN temp.op_name n ON n.id = o.id JOIN temp.pace p ON p.grp = o.k1
WHERE o.class < 3 AND NOT n.converts AND u.most < :busy AND o.total_ns >= 1000 * :least_us * o.count
  AND NOT (o.class = 0 AND u.mac < :busy AND u.mte2 < :mte2)
  AND NOT (o.class = 1 AND u.vector_units = 3 AND u.vector < :together AND u.vector_most < :each_unit)
ORDER BY 4 DESC, o.id
-- @rows
SELECT n.name AS "Operator", n.number AS "Task ID", o.count AS "Tasks", decimal(o.total_ns, 1000 * o.count, 3) AS "Mean(us)", decimal(o.longest_ns, 1000, 3) AS "Max(us)",
  n.type AS "Type", u.core AS "Core", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mac'), 2) AS "mac(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'vec'), 2) AS "vec(%)", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'scalar'), 2) AS "scalar(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte1'), 2) AS "mte1(%)", rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte2'), 2) AS "mte2(%)",
  rounded(100 * max(u.ratio) FILTER (WHERE u.name = 'mte3'), 2) AS "mte3(%)"
FROM temp.op_unit u JOIN temp.operator o ON o.id = u.id JOIN temp.op_name n ON n.id = o.id WHERE u.id = :_op GROUP BY u.core ORDER BY u.core
-- @why
SELECT 'no operator has counters of pipes' WHERE NOT EXISTS (SELECT 1 FROM temp.op_unit)
