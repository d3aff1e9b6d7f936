-- @title The program waits for disks
-- @needs tasks calls usage
-- @advice Read ahead in other threads, keep what is read often in memory, or use a faster disk.
-- @start the wait for disks
-- @source waiting for {share_of_step%} % of the time of the steps, and more than {idle_share%} % idle before launches that come late: ours
-- @formula idle time before tasks whose launch came late, at most the share of the time that the program waited
-- @each
WITH sample AS (
  SELECT time_ns, lead(time_ns) OVER (ORDER BY time_ns) AS next_ns, use FROM host_disk_use
), during AS (
  SELECT avg(use) / 100 AS use FROM sample WHERE next_ns > (SELECT min(start_ns) FROM temp.step) AND time_ns < (SELECT max(end_ns) FROM temp.step)
)
SELECT word('disks of the host') AS subject, p.total_ns / p.steps AS step_ns, r.total_ns / p.steps AS time_ns,
  min(r.total_ns / p.steps, CAST(d.use * (p.total_ns / p.steps) AS INTEGER)) AS saving_ns, 'low' AS confidence
FROM (SELECT total_int(total_ns) AS total_ns FROM temp.gap_reason WHERE reason IN (1, 4)) r CROSS JOIN during d
CROSS JOIN (SELECT total_int(steps) AS steps, total_int(total_ns) AS total_ns FROM temp.pace HAVING count(*)) p
WHERE d.use >= :share_of_step AND r.total_ns > :idle_share * p.total_ns
-- @rows
SELECT time_ns AS "From(ns)", rounded(use, 2) AS "Waits(%)", rounded(read_kbs, 3) AS "Read(KB/s)", rounded(write_kbs, 3) AS "Written(KB/s)" FROM host_disk_use
WHERE time_ns < (SELECT max(end_ns) FROM temp.step) ORDER BY use DESC, time_ns
-- @why
SELECT text FROM temp.no_step
UNION ALL SELECT 'disks were not sampled twice around a step: --host-sys=disk' WHERE NOT EXISTS (
  SELECT 1 FROM (SELECT time_ns, lead(time_ns) OVER (ORDER BY time_ns) AS next_ns FROM host_disk_use)
  WHERE next_ns > (SELECT min(start_ns) FROM temp.step) AND time_ns < (SELECT max(end_ns) FROM temp.step))
UNION ALL SELECT 'no task has a launch' WHERE EXISTS (SELECT 1 FROM temp.gap_reason) AND NOT EXISTS (SELECT 1 FROM temp.gap_reason WHERE reason IN (1, 2, 4))
