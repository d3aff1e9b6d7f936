-- @title Many tiny operators
-- @needs tasks
-- @advice Fuse them with their neighbours: starting each costs more than its work.
-- @start the tiny operators
-- @source shorter than {most_us} us: the vendor's own analysis; more than {least_count}, together at least {least_share%} % of a step: ours
-- @formula time of all tiny operators
-- @threshold most_us 10
-- @threshold least_count 5
-- @each
SELECT say('subject.operators', 'count', count(*), 'group', g.title) AS subject, p.mean_ns AS step_ns, total_int(o.alone_ns) / p.steps AS time_ns,
  total_int(o.alone_ns) / p.steps AS saving_ns, 'low' AS confidence, p.grp AS _grp, p.steps AS _steps
FROM temp.operator o JOIN temp.pace p ON p.grp = o.k1 JOIN temp.step_group g ON g.id = p.grp
WHERE o.class < 3 AND NOT o.is_rest AND o.total_ns < 1000 * :most_us * o.count
GROUP BY p.grp HAVING count(*) > :least_count AND total_int(o.alone_ns) >= :least_share * p.total_ns ORDER BY 4 DESC, p.grp
-- @rows
SELECT n.name AS "Operator", n.type AS "Type", n.number AS "Task ID", o.count AS "Tasks", decimal(o.total_ns, 1000 * o.count, 3) AS "Mean(us)"
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id
WHERE o.class < 3 AND o.k1 = :_grp AND NOT o.is_rest AND o.total_ns < 1000 * :most_us * o.count ORDER BY o.total_ns DESC, o.id
-- @why
SELECT text FROM temp.no_step
