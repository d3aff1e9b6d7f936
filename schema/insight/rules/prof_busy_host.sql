-- @title Processors of the host all busy
-- @needs tasks calls usage
-- @advice Give the program processors of its own, or stop what else runs; move work such as reading data off the threads that launch.
-- @start the busy processors of the host
-- @source processors busy for {busy_cpus%} % of the steps, and more than {idle_share%} % idle before launches that come late: ours
-- @formula idle time before tasks whose launch came late
-- @use prof_machine
-- @each
, during AS (
  SELECT total(busy) AS busy, total(ticks) AS ticks FROM machine_use
  WHERE device_id IS NULL AND time_ns > (SELECT min(start_ns) FROM temp.step) AND before_ns < (SELECT max(end_ns) FROM temp.step)
)
SELECT word('the host') AS subject, p.total_ns / p.steps AS step_ns, r.total_ns / p.steps AS time_ns, r.total_ns / p.steps AS saving_ns, 'medium' AS confidence
FROM (SELECT total_int(total_ns) AS total_ns FROM temp.gap_reason WHERE reason IN (1, 4)) r CROSS JOIN during d
CROSS JOIN (SELECT total_int(steps) AS steps, total_int(total_ns) AS total_ns FROM temp.pace HAVING count(*)) p
WHERE d.ticks > 0 AND d.busy >= :busy_cpus * d.ticks AND r.total_ns > :idle_share * p.total_ns
-- @use prof_machine
-- @rows
SELECT u.before_ns AS "From(ns)", u.cpus AS "CPUs", rounded(100 * u.busy / u.ticks, 2) AS "Busy(%)", rounded(100 * u.iowait / u.ticks, 2) AS "Waiting for disks(%)"
FROM machine_use u WHERE u.device_id IS NULL AND u.time_ns > (SELECT min(start_ns) FROM temp.step) AND u.before_ns < (SELECT max(end_ns) FROM temp.step) ORDER BY u.sample
-- @use prof_machine
-- @why
SELECT text FROM temp.no_step
UNION ALL SELECT 'the processors of the host were not sampled twice around a step: --host-sys-usage=cpu' WHERE NOT EXISTS (SELECT 1 FROM machine_use
  WHERE device_id IS NULL AND time_ns > (SELECT min(start_ns) FROM temp.step) AND before_ns < (SELECT max(end_ns) FROM temp.step))
UNION ALL SELECT 'no task has a launch' WHERE EXISTS (SELECT 1 FROM temp.gap_reason) AND NOT EXISTS (SELECT 1 FROM temp.gap_reason WHERE reason IN (1, 2, 4))
