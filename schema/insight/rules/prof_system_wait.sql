-- @title Threads that launch wait in the system
-- @needs tasks calls
-- @advice Look at what this call waits for: a lock, another thread, a file or a pipe. Do it ahead, or in a thread that launches nothing.
-- @start {subject} (threads that launch wait in it)
-- @source at least {least_share%} % of the steps, calls of {least_us} us or more: ours; the first call of each kind is taken to be made when the collection begins
-- @formula time of the calls between the begin of a gap and the late launch that ends it
-- @each
SELECT c.name AS subject, p.total_ns / p.steps AS step_ns, c.ns / p.steps AS time_ns, min(c.ns, p.total_ns) / p.steps AS saving_ns, 'low' AS confidence, c.name AS _name
FROM (SELECT name, total_int(ns) AS ns FROM temp.gap_call WHERE dur_ns >= 1000 * :least_us GROUP BY name) c
CROSS JOIN (SELECT total_int(steps) AS steps, total_int(total_ns) AS total_ns FROM temp.pace HAVING count(*)) p
WHERE c.ns > 0 AND c.ns >= :least_share * p.total_ns ORDER BY c.ns DESC, c.name
-- @rows
SELECT c.tid AS "Thread ID", decimal(c.dur_ns, 1000, 3) AS "Call(us)", decimal(c.ns, 1000, 3) AS "In the gap(us)", decimal(g.end_ns - g.start_ns, 1000, 3) AS "Idle(us)", a.name AS "Before"
FROM temp.gap_call c JOIN temp.gap g ON g.rowid = c.gap LEFT JOIN temp.op_name a ON a.id = g.after_op WHERE c.name = :_name ORDER BY c.ns DESC, c.gap
-- @why
SELECT text FROM temp.no_step
UNION ALL SELECT 'no calls to the system were recorded: --host-sys=osrt' WHERE NOT EXISTS (SELECT 1 FROM os_call)
UNION ALL SELECT 'no call to the system is of a thread that launches' WHERE EXISTS (SELECT 1 FROM os_call) AND NOT EXISTS (
  SELECT 1 FROM os_call WHERE tid IN (SELECT thread_id FROM thread))
