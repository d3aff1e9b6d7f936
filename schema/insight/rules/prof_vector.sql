-- @family prof
-- @style any
-- @title Vector operator that no unit bounds
-- @advice Use double buffers and larger blocks, so that loads, computing and stores overlap.
-- @source vec + mte2 + mte3 below 0.9 and each below 0.7, at least 1 % of the time: the vendor's own analysis
-- @formula time x (1 - (vec + mte2 + mte3) / 0.9)
-- @threshold together 0.9
-- @threshold each_unit 0.7
-- @threshold least_share 0.01
-- @each
WITH unit AS (
  SELECT id, core, total(ratio) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS busy, max(ratio) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS most,
    count(*) FILTER (WHERE name IN ('vec', 'mte2', 'mte3')) AS units
  FROM temp.op_unit WHERE core = 'aiv' GROUP BY id
)
SELECT n.name AS subject, p.mean_ns AS step_ns, o.total_ns / p.steps AS time_ns, CAST(o.total_ns / p.steps * (1 - u.busy / :together) AS INTEGER) AS saving_ns,
  'medium' AS confidence, o.id AS _op
FROM unit u JOIN temp.operator o ON o.id = u.id JOIN temp.op_name n ON n.id = o.id JOIN temp.pace p ON p.grp = o.k1
WHERE o.class = 1 AND u.units = 3 AND u.busy < :together AND u.most < :each_unit AND o.total_ns >= :least_share * p.total_ns ORDER BY 4 DESC, o.id
-- @rows
SELECT core AS "Core", name AS "Unit", rounded(ratio, 4) AS "Busy share" FROM temp.op_unit WHERE id = :_op ORDER BY ratio DESC, core, name
-- @why
SELECT 'no vector operator has counters of pipes of vector cores'
WHERE NOT EXISTS (SELECT 1 FROM temp.op_unit u JOIN temp.operator o ON o.id = u.id AND o.class = 1 WHERE u.core = 'aiv')
