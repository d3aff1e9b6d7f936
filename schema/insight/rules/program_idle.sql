-- @family prof ascend2022
-- @title The program calls nothing while the device idles
-- @needs tasks calls
-- @advice Look at what the program does between its calls: reading data, Python, locks, output. Do it ahead, in another thread.
-- @start the program, which calls nothing meanwhile
-- @source more than {idle_share%} % idle, the vendor's own analysis; calls in less than a tenth of the time until the next launch: ours
-- @formula idle time before tasks whose launch no call went before
-- @each
SELECT word('all devices') AS subject, p.total_ns / p.steps AS step_ns, r.total_ns / p.steps AS time_ns, r.total_ns / p.steps AS saving_ns, 'high' AS confidence
FROM temp.gap_reason r CROSS JOIN (SELECT total_int(steps) AS steps, total_int(total_ns) AS total_ns FROM temp.pace) p
WHERE r.reason = 4 AND r.total_ns > :idle_share * p.total_ns
-- @rows
SELECT s.label AS "Step", g.start_ns AS "From(ns)", decimal(g.end_ns - g.start_ns, 1000, 3) AS "Idle(us)", g.launch_ns AS "Launch(ns)", b.name AS "After",
  a.name AS "Before"
FROM temp.gap g JOIN temp.step s ON s.id = g.window LEFT JOIN temp.op_name b ON b.id = g.before_op LEFT JOIN temp.op_name a ON a.id = g.after_op
WHERE g.reason = 4 ORDER BY g.end_ns - g.start_ns DESC, g.start_ns
-- @why
SELECT text FROM temp.no_step
UNION ALL SELECT 'no task has a launch' WHERE EXISTS (SELECT 1 FROM temp.gap_reason) AND NOT EXISTS (SELECT 1 FROM temp.gap_reason WHERE reason IN (1, 2, 4))
