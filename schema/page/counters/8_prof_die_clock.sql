-- The clock that the power unit samples; numbers of samples are swapped in pairs.
-- @each
SELECT DISTINCT 'Device ' || s.device_id || ', die ' || x.die_id AS track, s.device_id AS _device, x.die_id AS _die
FROM source s JOIN stars_log_chip USING (device_id) CROSS JOIN low_power x JOIN setting c ON c.device_id = s.device_id
WHERE s.target = 'low_power' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.die_id < 2 AND c.chip IN (15, 16) ORDER BY s.device_id, x.die_id
-- @rows
SELECT x.time_ns, number_at(x.samples, 22, 2) AS "Clock(MHz)" FROM source s CROSS JOIN low_power x
WHERE s.target = 'low_power' AND s.device_id = :_device AND x.rowid BETWEEN s.first_row AND s.last_row AND x.die_id = :_die ORDER BY x.time_ns, x.rowid
