-- The last level caches.
-- @needs memory
-- @each
SELECT DISTINCT 'Device ' || device_id || ', cache ' || l3t_id AS track, device_id AS _device, l3t_id AS _cache FROM llc_rate ORDER BY device_id, l3t_id
-- @rows
SELECT time_ns, 100.0 * hit_rate AS "Hit rate(%)", mbs AS "Cache traffic(MB/s)" FROM llc_rate WHERE device_id = :_device AND l3t_id = :_cache
