-- @family svp ascend2022
-- @title Slow memory call
-- @needs tasks calls
-- @advice Allocate once before the loop and reuse the buffers; move data while the device works.
-- @start {subject} (a memory call)
-- @source at least {least_ms} ms: the vendor's own analysis
-- @formula time of these calls between executions of a model, spread over these, or over the steps where they are more
-- @each
SELECT c.name AS subject, p.step_ns, c.total_ns / p.steps AS time_ns, c.total_ns / p.steps AS saving_ns, 'medium' AS confidence, c.name AS _name
FROM (SELECT name, total_int(dur_ns) AS total_ns FROM temp.memory_call WHERE dur_ns >= 1000000 * :least_ms GROUP BY name) c
CROSS JOIN (SELECT max(total_int(steps), (SELECT coalesce(total_int(calls), 0) FROM temp.execution)) AS steps, total_int(total_ns) / total_int(steps) AS step_ns
  FROM temp.pace HAVING count(*)) p
ORDER BY c.total_ns DESC, c.name
-- @rows
SELECT pid AS "Process ID", tid AS "Thread ID", start_ns AS "Start(ns)", decimal(dur_ns, 1000, 3) AS "Time(us)"
FROM temp.memory_call WHERE name = :_name AND dur_ns >= 1000000 * :least_ms ORDER BY dur_ns DESC, start_ns
-- @why
SELECT 'no calls were recorded' WHERE NOT EXISTS (SELECT 1 FROM api_call)
