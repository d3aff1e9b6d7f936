-- @family ascend2022 ascend910
-- @title Time in tasks that nothing describes
-- @advice No file tells what these tasks do: they may compute, or wait for other cards or for data. Collect the descriptions of all graphs to know.
-- @source more than {share_of_step%} % of a step: ours
-- @each
SELECT say('subject.tasks', 'count', count(*), 'group', g.title) AS subject, 'note' AS severity, p.mean_ns AS step_ns, a.total_ns / p.steps AS time_ns, p.grp AS _grp, p.steps AS _steps
FROM temp.part a JOIN temp.pace p ON p.grp = a.grp JOIN temp.step_group g ON g.id = a.grp JOIN temp.operator o ON o.k1 = a.grp AND o.class = 5
WHERE a.class = 5 AND a.total_ns > :share_of_step * p.total_ns GROUP BY p.grp ORDER BY p.grp
-- @rows
SELECT n.name AS "Task", o.count AS "Tasks", decimal(o.total_ns, 1000 * o.count, 3) AS "Mean(us)", decimal(o.longest_ns, 1000, 3) AS "Max(us)",
  decimal(o.alone_ns, 1000 * :_steps, 3) AS "Alone, a step(us)"
FROM temp.operator o JOIN temp.op_name n ON n.id = o.id WHERE o.k1 = :_grp AND o.class = 5 ORDER BY o.alone_ns DESC, o.id
-- @why
SELECT text FROM temp.no_step
