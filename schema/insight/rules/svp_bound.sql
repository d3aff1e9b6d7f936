-- @title Layer below its bound
-- @needs tasks
-- @advice Look at the counters of each layer: what is busiest decides.
-- @source the guide of SS928: Mac Ppen above {mac_ppen%} % in matrix layers, Vec Ppen {vec_ppen%} % in others; DLD > {dld%}, WLD > {wld%}, Dstr > {dstr%} %; saving {least_share%} % of a step: ours
-- @formula time x (1 - ratio / bound)
-- @each
WITH used AS (
  SELECT o.id, o.k1 AS grp, o.class, p.mean_ns AS step_ns, o.total_ns / p.steps AS time_ns, 1.0 * CASE o.class WHEN 0 THEN o.mac_ppen ELSE o.vec_ppen END / o.cycles AS ratio,
    CASE o.class WHEN 0 THEN :mac_ppen ELSE :vec_ppen END AS bound, 1.0 * o.dld / o.cycles AS dld, 1.0 * o.wld / o.cycles AS wld, 1.0 * o.dstr / o.cycles AS dstr,
    1.0 * max(o.dstr, o.dld, o.wld) / nullif(max(o.mac_busy, o.vec_ppen), 0) AS memory_bound
  FROM temp.operator o JOIN temp.pace p ON p.grp = o.k1 WHERE o.k4 = 0 AND o.class IN (0, 1) AND o.cycles > 0 AND NOT o.is_rest
), room AS ( -- the busiest path to the memory, where one is busy enough to bind the layer
  SELECT *, CAST(time_ns * (1 - ratio / bound) AS INTEGER) AS saving_ns, max(dld, wld, dstr) AS busiest,
    CASE WHEN NOT coalesce(dld > :dld OR wld > :wld OR dstr > :dstr OR memory_bound > 1, 0) THEN 'shape'
      WHEN dld >= wld AND dld >= dstr THEN 'input' WHEN wld >= dstr THEN 'weights' ELSE 'output' END AS path
  FROM used WHERE ratio < bound
)
SELECT n.name AS subject, r.step_ns, r.time_ns, r.saving_ns,
  CASE WHEN c.standing = 'assumed' THEN 'low' WHEN r.path <> 'shape' THEN 'high' ELSE 'medium' END AS confidence,
  printf('%.1f us x (1 - %.1f %% / %.0f %%)', r.time_ns / 1000.0, r.ratio * 100, r.bound * 100) AS formula,
  say('bound.' || r.path || CASE WHEN r.path IN ('input', 'output') AND instr(n.type, ',') THEN '.fused' ELSE '' END) AS advice,
  say('bound.start.' || r.path, 'name', n.name, 'share', percent_text(r.busiest, 1)) AS start,
  say('bound.several.' || r.path, 'unit', CASE r.class WHEN 0 THEN 'Mac' ELSE 'Vec' END, 'count', '{count}') AS several, r.id AS _op, r.grp AS _grp
FROM room r CROSS JOIN counters c JOIN temp.op_name n ON n.id = r.id WHERE r.saving_ns >= :least_share * r.step_ns ORDER BY r.saving_ns DESC, r.id
-- @rows
SELECT n.name AS "Operator", o.k2 AS "Task ID", o.count AS "Tasks", decimal(o.total_ns, 1000 * o.count, 3) AS "Mean(us)", decimal(o.longest_ns, 1000, 3) AS "Max(us)", n.type AS "Type",
  decimal(100 * o.mac_ppen, o.cycles, 2) AS "Mac Ppen(%)", decimal(100 * o.vec_ppen, o.cycles, 2) AS "Vec Ppen(%)", decimal(100 * o.dld, o.cycles, 2) AS "DLD(%)",
  decimal(100 * o.wld, o.cycles, 2) AS "WLD(%)", decimal(100 * o.dstr, o.cycles, 2) AS "Dstr(%)",
  decimal(max(o.dstr, o.dld, o.wld), max(o.mac_busy, o.vec_ppen), 2) AS "Memory Bound"
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id WHERE o.id = :_op
-- @why
SELECT text FROM temp.no_step UNION ALL
SELECT CASE WHEN shown IS NULL THEN 'counters that cannot be true: see svp_counters' ELSE 'no task of the core has counters' END FROM counters
WHERE NOT EXISTS (SELECT 1 FROM temp.operator WHERE k4 = 0 AND cycles > 0)
