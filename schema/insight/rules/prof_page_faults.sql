-- @title Tasks with page faults take longer
-- @needs tasks
-- @advice Touch the memory before it is used, or keep it for the next step in place of a new one.
-- @start page faults of {subject}
-- @several {count} operators with page faults
-- @source longer than tasks of the operator without page faults, of at least {least_tasks}; together at least {least_share%} % of a step: ours
-- @formula what tasks with page faults took beyond the mean of those without
-- @threshold least_tasks 3
-- @use prof_page_faults
-- @each
, timed AS (
  SELECT f.op_name, f.faults, t.dur_ns FROM task_fault f JOIN task t ON t.id = f.id WHERE t.dur_ns IS NOT NULL AND f.op_name IS NOT NULL
), compared AS (
  SELECT op_name, count(*) FILTER (WHERE faults > 0) AS tasks, total_int(dur_ns) FILTER (WHERE faults > 0) AS ns, avg(dur_ns) FILTER (WHERE faults = 0) AS other_ns
  FROM timed GROUP BY op_name HAVING count(*) FILTER (WHERE faults = 0) >= :least_tasks AND count(*) FILTER (WHERE faults > 0) > 0
)
SELECT coalesce(n.name, printf('%u', c.op_name)) AS subject, p.total_ns / p.steps AS step_ns, c.ns / p.steps AS time_ns, CAST((c.ns - c.tasks * c.other_ns) / p.steps AS INTEGER) AS saving_ns,
  'medium' AS confidence, c.op_name AS _op
FROM compared c CROSS JOIN (SELECT total_int(steps) AS steps, total_int(total_ns) AS total_ns FROM temp.pace HAVING count(*)) p LEFT JOIN name n ON n.hash = c.op_name
WHERE c.ns - c.tasks * c.other_ns >= :least_share * p.total_ns ORDER BY c.ns - c.tasks * c.other_ns DESC, subject
-- @use prof_page_faults
-- @rows
SELECT f.faults AS "Page faults", count(*) AS "Tasks", decimal(total_int(t.dur_ns), 1000 * count(*), 3) AS "Mean(us)" FROM task_fault f JOIN task t ON t.id = f.id
WHERE f.op_name = :_op AND t.dur_ns IS NOT NULL GROUP BY f.faults ORDER BY f.faults
-- @why
SELECT text FROM temp.no_step
UNION ALL SELECT 'page faults were not counted' WHERE NOT EXISTS (SELECT 1 FROM soc_pmu WHERE data_type = 4)
