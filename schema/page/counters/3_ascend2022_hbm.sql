-- Traffic of each stack of high-bandwidth memory. Samples have times of the device.
-- @needs memory
-- @each
SELECT DISTINCT 'Device ' || r.device_id || ', HBM ' || r.hbm_id AS track, r.device_id AS _device, r.hbm_id AS _hbm, s.host_ns - s.device_ns AS _ahead
FROM hbm_rate r JOIN setting s USING (device_id) ORDER BY r.device_id, r.hbm_id
-- @rows
SELECT stamp_ns + :_ahead AS time_ns, CASE WHEN NOT is_write THEN mbs END AS "HBM read(MB/s)", CASE WHEN is_write THEN mbs END AS "HBM written(MB/s)"
FROM hbm_rate WHERE device_id = :_device AND hbm_id = :_hbm
