-- Collective operations of each device.
-- @process Device {device}
-- @thread Communication
-- @each
SELECT DISTINCT device_id AS device, 0 AS clock, device_id AS _device FROM all_reduce ORDER BY device_id
-- @rows
SELECT a.rowid AS row, 0 AS track, 'all-reduce ' || a.number AS k1, NULL AS k2, NULL AS k3,
  s.host_ns + CAST(round((a.start_counter - s.device_counter) * 1000.0 / s.counter_mhz) AS INTEGER) AS start_ns,
  CAST(round((a.end_counter - a.start_counter) * 1000.0 / s.counter_mhz) AS INTEGER) AS dur_ns
FROM all_reduce a JOIN setting s ON s.device_id = a.device_id WHERE a.device_id = :_device AND a.end_counter IS NOT NULL ORDER BY a.start_counter
