-- Where a device computes (kind 0) and where it is free between (kind 3): a computing task that begins while none runs
-- has free_ns, and ends the stretch that began with the one before it. Of devices that communicate (1; 2: and do not compute) it is in overlap.
WITH busy AS MATERIALIZED (
  SELECT device_id, start_ns, free_ns, before('stretch', start_ns, device_id) AS begun_ns FROM task
  WHERE free_ns IS NOT NULL AND device_id NOT IN (SELECT device_id FROM overlap) ORDER BY id
), stretch AS (
  SELECT device_id, 0 AS kind, begun_ns AS start_ns, start_ns - free_ns AS end_ns FROM busy WHERE begun_ns IS NOT NULL
  UNION ALL
  SELECT device_id, 0, max(start_ns) FILTER (WHERE free_ns IS NOT NULL), max(start_ns + dur_ns) FROM task
  WHERE device_type IN (0, 1, 2, 256, 257, 262, 263, 268) AND start_ns IS NOT NULL AND device_id NOT IN (SELECT device_id FROM overlap)
  GROUP BY device_id
  UNION ALL
  SELECT device_id, 3, start_ns - free_ns, start_ns FROM task WHERE free_ns > 0 AND device_id NOT IN (SELECT device_id FROM overlap)
  UNION ALL
  SELECT device_id, kind, start_ns, end_ns FROM overlap
)
