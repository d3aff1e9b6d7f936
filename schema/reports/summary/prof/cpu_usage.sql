-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM cpu_sample)
-- @rows
WITH span AS (
  SELECT cpu, min(rowid) AS number, max(user_us) - min(user_us) AS user_us, max(system_us) - min(system_us) AS system_us,
    max(iowait_us) - min(iowait_us) AS iowait_us, max(irq_us) - min(irq_us) AS irq_us,
    max(softirq_us) - min(softirq_us) AS softirq_us, max(idle_us) - min(idle_us) AS idle_us
  FROM cpu_sample GROUP BY cpu
), whole AS (
  SELECT *, nullif(user_us + system_us + iowait_us + irq_us + softirq_us + idle_us, 0) AS all_us FROM span
)
SELECT cpu AS "Cpu Type", round(100.0 * user_us / all_us, 3) AS "User(%)", round(100.0 * system_us / all_us, 3) AS "Sys(%)",
  round(100.0 * iowait_us / all_us, 3) AS "IoWait(%)", round(100.0 * irq_us / all_us, 3) AS "Irq(%)",
  round(100.0 * softirq_us / all_us, 3) AS "Soft(%)", round(100.0 * idle_us / all_us, 3) AS "Idle(%)"
FROM whole ORDER BY number
