-- The counters in use, of tasks or of samples, and their metrics. All devices count the same events.
WITH used AS (
  SELECT c.core, c.position, m.name, m.what, m.factor FROM counter c LEFT JOIN metric m ON m.event = c.event
  WHERE c.device_id = (SELECT min(device_id) FROM counter)
)
