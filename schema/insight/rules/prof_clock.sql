-- @title Cores below their clock
-- @needs tasks
-- @advice Look for the reason that the driver lowers the clock: power limit, temperature, or a power mode of the machine.
-- @start the clock below its maximum
-- @source weighted mean (maximum - clock) / maximum at least {slow_clock%} %: the vendor's own analysis
-- @formula time of operators x mean share of the clock that was missing
-- @each
SELECT g.title AS subject, p.mean_ns AS step_ns, c.total_ns / p.steps AS time_ns, CAST(1000.0 * c.slow / c.mhz / p.steps AS INTEGER) AS saving_ns, 'high' AS confidence,
  p.grp AS _grp
FROM (SELECT o.k1 AS grp, max(s.mhz) AS mhz, total_int(o.slow_mhz_us) AS slow, total_int(o.total_ns) AS total_ns
      FROM temp.operator o JOIN setting s ON s.device_id = o.k1 WHERE o.class < 3 GROUP BY o.k1) c
JOIN temp.pace p ON p.grp = c.grp JOIN temp.step_group g ON g.id = c.grp
WHERE 1000.0 * c.slow / c.mhz >= :slow_clock * c.total_ns ORDER BY p.grp
-- @rows
SELECT frequency_mhz AS "MHz", count(*) AS "Operators", decimal(total_int(dur_ns), 1000, 3) AS "Time(us)", min(start_ns) AS "First(ns)" FROM task
WHERE device_id = :_grp AND is_op = 1 AND start_ns IS NOT NULL AND frequency_mhz > 0 GROUP BY frequency_mhz ORDER BY frequency_mhz
-- @why
SELECT text FROM temp.no_step
UNION ALL SELECT 'no change of the clock was recorded' WHERE NOT EXISTS (SELECT 1 FROM core_frequency)
