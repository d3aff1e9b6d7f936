-- @family svp
-- @style any
-- @title Counters that contradict each other
-- @advice A part of the cycles is larger than all of them: the layout of this firmware may differ. msprof check shows the layout.
-- @source the meaning of the counters
-- @each
SELECT n.name AS subject, 'medium' AS severity, o.total_ns / p.steps AS time_ns, p.mean_ns AS step_ns, o.id AS _op
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id JOIN temp.pace p ON p.grp = o.k1
WHERE o.k4 = 0 AND NOT o.is_rest AND (max(mac_busy, vec_busy, dstr, dtrans, dld, wld) > cycles OR mac_ppen > mac_busy OR icache_miss > icache_access)
ORDER BY o.total_ns DESC
-- @rows
SELECT k2 AS "Task ID", count AS "Tasks", cycles / p.core AS "Cycles", max(mac_busy, vec_busy, dstr, dtrans, dld, wld) / p.core AS "Largest counter",
  mac_busy / p.core AS "Mac Busy", mac_ppen / p.core AS "Mac Ppen", icache_miss AS "Icache misses", icache_access AS "Icache accesses"
FROM temp.operator CROSS JOIN parts p WHERE id = :_op
-- @why
SELECT 'no task of the core has counters' WHERE NOT EXISTS (SELECT 1 FROM temp.operator WHERE k4 = 0 AND cycles > 0)
