-- @file time
-- @title Time
-- @each
SELECT device_id FROM device WHERE host_monotonic_ns IS NOT NULL
-- @rows
SELECT device_id, CAST(substr(log, nullif(instr(log, char(10) || 'clock_monotonic_raw:'), 0) + 21) AS INTEGER) AS dev_mon,
  CAST(substr(log, nullif(instr(log, char(10) || 'clock_realtime:'), 0) + 16) AS INTEGER) AS dev_wall, counter_at AS dev_cntvct, host_monotonic_ns AS host_mon, host_realtime_ns AS host_wall
FROM (SELECT d.*, (SELECT char(10) || text FROM control c WHERE c.name = 'dev_start.log' AND c.device_id = d.device_id) AS log FROM device d WHERE d.device_id = :device_id)
