-- The processors of the host and of devices, from a sample to the next.
-- @needs usage
-- @each
SELECT DISTINCT coalesce('Device ' || s.device_id, 'Host') || ', all processors' AS track, s.device_id AS _device FROM source s
WHERE s.target = 'device_cpu' AND s.records > 0 AND (SELECT count(stamp_ns) FROM device_cpu) > 1 ORDER BY s.device_id
-- @use prof_machine
-- @rows
SELECT before_ns, 100 * busy / ticks AS "Busy(%)", 100 * iowait / ticks AS "Waiting for disks(%)" FROM machine_use
WHERE device_id IS :_device AND before_ns BETWEEN (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'begin_ns') AND (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'end_ns')
ORDER BY sample
