-- Traffic of the memory.
-- @needs memory
-- @each
SELECT DISTINCT 'Device ' || device_id AS track, device_id AS _device FROM ddr_rate ORDER BY device_id
-- @rows
SELECT time_ns, read_mbs AS "DDR read(MB/s)", write_mbs AS "DDR written(MB/s)" FROM ddr_rate WHERE device_id = :_device
