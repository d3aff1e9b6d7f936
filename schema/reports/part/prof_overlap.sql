-- Where a device computes (kind 0: the union of its tasks of computing cores) and where it is free between (kind 3).
WITH busy AS (
  SELECT device_id, start_ns, start_ns + dur_ns AS end_ns,
    max(start_ns + dur_ns) OVER (PARTITION BY device_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ns, id
  FROM task WHERE start_ns IS NOT NULL AND device_type IN (0, 1, 2, 256, 257, 262, 263, 268)
), island AS (
  SELECT device_id, start_ns, end_ns, before_ns, sum(before_ns IS NULL OR start_ns > before_ns) OVER (PARTITION BY device_id ORDER BY id) AS number FROM busy
), overlap AS (
  SELECT device_id, 0 AS kind, min(start_ns) AS start_ns, max(end_ns) AS end_ns FROM island GROUP BY device_id, number
  UNION ALL
  SELECT device_id, 3, before_ns, start_ns FROM busy WHERE start_ns > before_ns
)
