-- @title Format conversions
-- @needs tasks
-- @advice Keep one format and type through the network: convert weights and inputs ahead, and remove pairs of conversions.
-- @start format conversions
-- @source at least {least_share%} % of a step: ours; the types are in operator_class.txt
-- @formula time of all conversions
-- @each
SELECT say('subject.operators', 'count', count(*), 'group', g.title) AS subject, p.mean_ns AS step_ns, total_int(o.alone_ns) / p.steps AS time_ns,
  total_int(o.alone_ns) / p.steps AS saving_ns, 'medium' AS confidence, p.grp AS _grp, p.steps AS _steps
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id JOIN temp.pace p ON p.grp = o.k1 JOIN temp.step_group g ON g.id = p.grp
WHERE n.converts AND NOT o.is_rest GROUP BY p.grp HAVING total_int(o.alone_ns) >= :least_share * p.total_ns ORDER BY 4 DESC, p.grp
-- @rows
SELECT n.name AS "Operator", n.type AS "Type", n.number AS "Task ID", o.count AS "Tasks", decimal(o.alone_ns, 1000 * :_steps, 3) AS "Time(us)"
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id WHERE n.converts AND o.k1 = :_grp AND NOT o.is_rest ORDER BY o.alone_ns DESC, o.id
-- @why
SELECT text FROM temp.no_step
