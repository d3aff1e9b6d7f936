-- The clock of the cores.
-- @each
SELECT DISTINCT 'Device ' || device_id AS track, device_id AS _device FROM frequency_point ORDER BY device_id
-- @rows
SELECT time_ns, mhz AS "Core clock(MHz)" FROM frequency_point WHERE device_id = :_device
