-- What a device does in which stretch of time; a stretch may follow one in which it is free (3).
WITH stretch AS (
  SELECT device_id, kind, start_ns, end_ns FROM overlap
  UNION ALL
  SELECT device_id, 3, start_ns - free_ns, start_ns FROM overlap WHERE free_ns > 0
)
