-- @title Operator on the AI CPU
-- @needs tasks
-- @advice Replace it by operators that the core has, or move it behind the network; the core waits for it.
-- @start {subject} (on the AI CPU)
-- @several {count} operators on the AI CPU
-- @source at least {least_us} us: the vendor's own analysis; at least {least_share%} % of a step: ours
-- @formula time of the AI CPU while the core was idle
-- @threshold least_share 0.001
-- @each
SELECT n.name AS subject, p.mean_ns AS step_ns, o.total_ns / p.steps AS time_ns, o.alone_ns / p.steps AS saving_ns,
  'high' AS confidence, o.id AS _op, p.grp AS _grp
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id JOIN temp.pace p ON p.grp = o.k1
WHERE o.class = 3 AND NOT o.is_rest AND o.total_ns >= 1000 * :least_us * o.count AND o.alone_ns > 0 AND o.alone_ns >= :least_share * p.total_ns
ORDER BY o.alone_ns DESC, o.id
-- @rows
SELECT n.name AS "Operator", n.number AS "Task ID", n.type AS "Type", o.count AS "Tasks", decimal(o.total_ns, 1000 * o.count, 3) AS "Mean(us)",
  decimal(o.longest_ns, 1000, 3) AS "Max(us)", decimal(o.alone_ns, 1000 * o.count, 3) AS "Core idle(us)"
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id WHERE o.id = :_op
-- @why
SELECT text FROM temp.no_step
