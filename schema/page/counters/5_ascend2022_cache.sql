-- The last level caches. Samples have times of the device.
-- @needs memory
-- @each
SELECT DISTINCT 'Device ' || r.device_id || ', cache ' || r.l3t_id AS track, r.device_id AS _device, r.l3t_id AS _cache, s.host_ns - s.device_ns AS _ahead
FROM llc_rate r JOIN setting s USING (device_id) ORDER BY r.device_id, r.l3t_id
-- @rows
SELECT stamp_ns + :_ahead AS time_ns, 100.0 * hit_rate AS "Hit rate(%)", mbs AS "Cache traffic(MB/s)" FROM llc_rate WHERE device_id = :_device AND l3t_id = :_cache
