-- Voltages of the cores and of the bus.
-- @each
SELECT DISTINCT 'Device ' || device_id AS track, device_id AS _device FROM lpm_point WHERE kind > 0 ORDER BY device_id
-- @rows
SELECT time_ns, CASE kind WHEN 1 THEN value END AS "Core(mV)", CASE kind WHEN 2 THEN value END AS "Bus(mV)" FROM lpm_point WHERE device_id = :_device AND kind > 0 ORDER BY time_ns
