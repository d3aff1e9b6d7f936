-- @family prof
-- @style any
-- @title Last round of blocks poorly filled
-- @advice Choose a tiling whose number of blocks is a multiple of the number of cores.
-- @source block dim no multiple of the cores: the vendor's own analysis; the shares are ours
-- @formula time x (1 - blocks / (rounds x cores))
-- @threshold least_empty 0.05
-- @threshold least_share 0.01
-- @each
WITH block AS (
  SELECT o.id, o.k1 AS grp, o.total_ns, o.k4 AS blocks, CASE WHEN o.aic_cycles > 0 THEN s.cores ELSE s.aiv_cores END AS cores
  FROM temp.operator o JOIN setting s ON s.device_id = o.k1 WHERE o.class < 3 AND NOT o.is_rest AND o.k4 > 0
)
SELECT n.name AS subject, p.mean_ns AS step_ns, b.total_ns / p.steps AS time_ns,
  CAST(b.total_ns / p.steps * (1 - 1.0 * b.blocks / ((b.blocks + b.cores - 1) / b.cores * b.cores)) AS INTEGER) AS saving_ns, 'medium' AS confidence,
  printf('%.1f us x (1 - %d / %d)', b.total_ns / p.steps / 1000.0, b.blocks, (b.blocks + b.cores - 1) / b.cores * b.cores) AS formula, b.blocks AS _blocks,
  b.cores AS _cores
FROM block b JOIN temp.op_name n ON n.id = b.id JOIN temp.pace p ON p.grp = b.grp
WHERE b.cores > 0 AND 1 - 1.0 * b.blocks / ((b.blocks + b.cores - 1) / b.cores * b.cores) >= :least_empty AND b.total_ns >= :least_share * p.total_ns
ORDER BY 4 DESC, b.id
-- @rows
SELECT :_blocks AS "Blocks", :_cores AS "Cores", (:_blocks + :_cores - 1) / :_cores AS "Rounds"
-- @why
SELECT 'the number of cores is not told' WHERE NOT EXISTS (SELECT 1 FROM setting WHERE cores > 0)
