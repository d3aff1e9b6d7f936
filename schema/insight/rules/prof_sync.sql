-- @title Synchronous launches
-- @needs tasks calls
-- @advice Synchronise once for many operators, or at the end of a step; and look for a debugging mode that launches one by one (ASCEND_LAUNCH_BLOCKING).
-- @start launches that wait: {subject}
-- @source more than {share%} % of the launches preceded by a synchronise of their thread: the vendor's own analysis
-- @formula time of these synchronises, at most the idle time
-- @threshold share 0.50
-- @each
SELECT say('subject.launches', 'waited', l.waited, 'launches', l.launches) AS subject, p.total_ns / p.steps AS step_ns, l.wait_ns / p.steps AS time_ns,
  min(l.wait_ns, i.total_ns) / p.steps AS saving_ns, 'medium' AS confidence
FROM (SELECT count(*) AS launches, count(*) FILTER (WHERE last_kind = 2) AS waited, coalesce(total_int(last_ns) FILTER (WHERE last_kind = 2), 0) AS wait_ns FROM (
    SELECT w.kind, lag(w.kind) OVER t AS last_kind, lag(a.dur_ns) OVER t AS last_ns
    FROM api a CROSS JOIN temp.call_word w ON w.level = a.level AND w.type = a.type
    WHERE EXISTS (SELECT 1 FROM temp.call_word WHERE kind = 2)
    WINDOW t AS (PARTITION BY a.thread_id ORDER BY a.start_ns, a.connection_id)) WHERE kind = 1) l
CROSS JOIN (SELECT total_int(steps) AS steps, total_int(total_ns) AS total_ns FROM temp.pace HAVING count(*)) p
CROSS JOIN (SELECT coalesce(total_int(total_ns), 0) AS total_ns FROM temp.part WHERE class IS NULL) i
WHERE l.waited > :share * l.launches
-- @rows
SELECT y.name AS "Call", count(*) AS "Calls", decimal(total_int(a.dur_ns), 1000 * count(*), 3) AS "Mean(us)", decimal(max(a.dur_ns), 1000, 3) AS "Max(us)"
FROM temp.call_word w JOIN type_name y USING (level, type) JOIN api a USING (level, type) WHERE w.kind = 2 GROUP BY y.name ORDER BY 2 DESC, y.name
-- @why
SELECT text FROM temp.no_step
UNION ALL SELECT 'no call that launches was recorded' WHERE NOT EXISTS (SELECT 1 FROM temp.call_word WHERE kind = 1)
