-- Traffic with other cards. Samples have times of the device.
-- @needs links
-- @each
SELECT DISTINCT 'Device ' || r.device_id AS track, r.device_id AS _device, s.host_ns - s.device_ns AS _ahead FROM hccs_rate r JOIN setting s USING (device_id) ORDER BY r.device_id
-- @rows
SELECT stamp_ns + :_ahead AS time_ns, rx_mbs AS "HCCS received(MB/s)", tx_mbs AS "HCCS sent(MB/s)" FROM hccs_rate WHERE device_id = :_device
