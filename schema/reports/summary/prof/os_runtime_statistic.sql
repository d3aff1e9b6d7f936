-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM os_call)
-- @rows
SELECT 'host' AS "Device_id", (SELECT value FROM meta WHERE key = 'pid') AS "Process ID", tid AS "Thread ID", name AS "Name",
  repr(coalesce(total / nullif((SELECT total(dur_ns) FROM os_call), 0), 0.0)) AS "Time(%)", repr(total / 1000) AS "Time(us)", calls AS "Count", repr(mean / 1000) AS "Avg(us)",
  repr(longest / 1000) AS "Max(us)", repr(shortest / 1000) AS "Min(us)"
FROM (SELECT tid, name, total(dur_ns) AS total, count(*) AS calls, avg(dur_ns) AS mean, max(dur_ns) AS longest, min(dur_ns) AS shortest FROM os_call GROUP BY name, tid)
ORDER BY total DESC, name, tid
