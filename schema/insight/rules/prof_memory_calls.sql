-- @title Slow memory call
-- @needs tasks calls
-- @advice Allocate once before the loop and reuse the buffers; copy on a stream of its own while operators run.
-- @start {subject} (a memory call)
-- @source at least {least_ms} ms: the vendor's own analysis
-- @formula time of these calls between the first and the last launch, spread over the steps
-- @each
-- calls before the first and after the last launch are made once
WITH bound AS (SELECT min(launch_ns) AS first_ns, max(launch_ns) AS last_ns FROM task WHERE is_op = 1)
SELECT c.name AS subject, p.step_ns, c.total_ns / p.steps AS time_ns, c.total_ns / p.steps AS saving_ns, 'medium' AS confidence, c.level AS _level, c.type AS _type
FROM (SELECT a.level, a.type, y.name, total_int(a.dur_ns) AS total_ns FROM bound b CROSS JOIN type_name y JOIN api a ON a.level = y.level AND a.type = y.type
      WHERE coalesce(a.start_ns BETWEEN b.first_ns AND b.last_ns, 1) AND a.dur_ns >= 1000000 * :least_ms
        AND (lower(y.name) LIKE '%mem%' OR lower(y.name) LIKE '%malloc%' OR lower(y.name) LIKE '%free%')
        AND lower(y.name) NOT LIKE '%load%'
      GROUP BY a.level, a.type, y.name) c
CROSS JOIN (SELECT total_int(steps) AS steps, total_int(total_ns) / total_int(steps) AS step_ns FROM temp.pace HAVING count(*)) p
ORDER BY c.total_ns DESC, c.name
-- @rows
SELECT thread_id AS "Thread", start_ns AS "Start(ns)", decimal(dur_ns, 1000, 3) AS "Time(us)"
FROM api a CROSS JOIN (SELECT min(launch_ns) AS first_ns, max(launch_ns) AS last_ns FROM task WHERE is_op = 1) b
WHERE level = :_level AND type = :_type AND dur_ns >= 1000000 * :least_ms AND coalesce(a.start_ns BETWEEN b.first_ns AND b.last_ns, 1)
ORDER BY dur_ns DESC, start_ns
-- @why
SELECT text FROM temp.no_step
UNION ALL SELECT 'no calls were recorded' WHERE NOT EXISTS (SELECT 1 FROM api)
