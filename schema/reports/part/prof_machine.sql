-- Ticks of the processors of the host and of devices, from a sample to the next: they count from the start of the machine, so a single sample says nothing of the
-- collection. busy is without what waits for a disk; ticks of guests are in those of users.
WITH machine_line AS (
  SELECT s.device_id, x.*, max(x.stamp_ns) OVER w AS time_ns, count(x.stamp_ns) OVER w AS sample
  FROM source s CROSS JOIN device_cpu x WHERE s.target = 'device_cpu' AND x.rowid BETWEEN s.first_row AND s.last_row
  WINDOW w AS (PARTITION BY s.device_id ORDER BY x.rowid)
), machine_ticks AS (
  SELECT device_id, cpu, sample, time_ns, 1.0 * user + nice + system + irq + softirq + steal AS busy, iowait, 1.0 * user + nice + system + irq + softirq + steal + iowait + idle AS ticks
  FROM machine_line WHERE cpu IS NOT NULL AND sample > 0
), machine_cpu AS (
  SELECT device_id, cpu, sample, before_ns, time_ns, busy - busy_before AS busy, iowait - iowait_before AS iowait, ticks - ticks_before AS ticks FROM (
    SELECT *, lag(time_ns) OVER v AS before_ns, lag(busy) OVER v AS busy_before, lag(iowait) OVER v AS iowait_before, lag(ticks) OVER v AS ticks_before
    FROM machine_ticks WINDOW v AS (PARTITION BY device_id, cpu ORDER BY sample))
  WHERE ticks > ticks_before AND busy >= busy_before AND iowait >= iowait_before
), machine_use AS (
  SELECT device_id, sample, max(before_ns) AS before_ns, max(time_ns) AS time_ns, total(busy) AS busy, total(iowait) AS iowait, total(ticks) AS ticks, count(*) AS cpus
  FROM machine_cpu GROUP BY device_id, sample
)
