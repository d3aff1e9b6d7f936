-- The counters in use, of tasks or of samples, and what they make: all devices count the same.
WITH used AS (
  SELECT c.core, c.position, m.name, m.what, m.factor FROM counter c LEFT JOIN metric m ON m.event = c.event
  WHERE c.device_id = (SELECT min(device_id) FROM counter)
)
