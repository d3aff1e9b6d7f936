-- @family prof ascend2022 ascend910
-- @title Last round of blocks poorly filled
-- @needs tasks
-- @advice Choose a tiling whose number of blocks is a multiple of the number of cores.
-- @start {subject} (its last round of blocks)
-- @several {count} operators whose last round of blocks leaves cores empty
-- @source block dim no multiple of the cores: the vendor's own analysis; at least {least_empty%} % empty, at least {least_share%} % of a step: ours
-- @formula time x (1 - blocks / (rounds x cores))
-- @threshold least_empty 0.05
-- @each
WITH block AS (
  SELECT o.id, o.k1 AS grp, o.total_ns, n.name, n.blocks, c.cores
  FROM temp.operator o JOIN temp.op_name n ON n.id = o.id JOIN temp.core_count c ON c.grp = o.k1 AND c.core = n.core
  WHERE o.class < 3 AND NOT o.is_rest AND n.blocks > 0
)
SELECT b.name AS subject, p.mean_ns AS step_ns, b.total_ns / p.steps AS time_ns,
  CAST(b.total_ns / p.steps * (1 - 1.0 * b.blocks / ((b.blocks + b.cores - 1) / b.cores * b.cores)) AS INTEGER) AS saving_ns, CASE WHEN b.blocks < b.cores THEN 'low' ELSE 'medium' END AS confidence,
  printf('%.1f us x (1 - %d / %d)', b.total_ns / p.steps / 1000.0, b.blocks, (b.blocks + b.cores - 1) / b.cores * b.cores) AS formula, b.blocks AS _blocks,
  b.cores AS _cores, b.id AS _op, b.grp AS _grp,
  CASE WHEN b.blocks < b.cores THEN say('blocks.few', 'blocks', b.blocks, 'cores', b.cores)
    ELSE say('blocks.many', 'cores', b.cores) END AS advice
FROM block b JOIN temp.pace p ON p.grp = b.grp
WHERE b.cores > 0 AND 1 - 1.0 * b.blocks / ((b.blocks + b.cores - 1) / b.cores * b.cores) >= :least_empty AND b.total_ns >= :least_share * p.total_ns
ORDER BY 4 DESC, b.id
-- @rows
SELECT n.name AS "Operator", n.number AS "Task ID", o.count AS "Tasks", decimal(o.total_ns, 1000 * o.count, 3) AS "Mean(us)", n.type AS "Type", :_blocks AS "Blocks", :_cores AS "Cores",
  (:_blocks + :_cores - 1) / :_cores AS "Rounds"
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id WHERE o.id = :_op
-- @why
SELECT 'the number of cores is not told' WHERE NOT EXISTS (SELECT 1 FROM temp.core_count)
UNION ALL
SELECT 'no operator tells its number of blocks' WHERE NOT EXISTS (SELECT 1 FROM temp.op_name WHERE blocks > 0)
