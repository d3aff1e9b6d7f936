-- The tally of api_calls: time in ns by (process, thread, type, name).
WITH call AS (
  SELECT k1 AS pid, k2 AS tid, k3 AS type, k4 AS name, total_int(count) AS count, total_int(total) AS total, max(longest) AS longest,
    min(shortest) AS shortest, total_int(also_total) AS whole_us
  FROM tally GROUP BY k1, k2, k3, k4
), api AS (
  SELECT pid, tid,
    CASE type WHEN 1 THEN 'op' WHEN 2 THEN 'model' WHEN 3 THEN 'runtime' WHEN 4 THEN 'others'
              ELSE CAST(type AS TEXT) END AS mode,
    name, count, total, longest, shortest, whole_us
  FROM call ORDER BY total DESC, pid, tid, name, mode
)
