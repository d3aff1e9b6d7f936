-- Traffic of the memory. Samples have times of the device.
-- @needs memory
-- @each
SELECT DISTINCT 'Device ' || r.device_id AS track, r.device_id AS _device, s.host_ns - s.device_ns AS _ahead FROM ddr_rate r JOIN setting s USING (device_id) ORDER BY r.device_id
-- @rows
SELECT stamp_ns + :_ahead AS time_ns, read_mbs AS "DDR read(MB/s)", write_mbs AS "DDR written(MB/s)" FROM ddr_rate WHERE device_id = :_device
