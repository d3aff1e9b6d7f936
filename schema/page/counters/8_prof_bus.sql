-- Traffic of the ports of the unified bus.
-- @needs links
-- @each
SELECT DISTINCT 'Device ' || device_id || ', port ' || port_id AS track, device_id AS _device, port_id AS _port FROM ub_sample ORDER BY device_id, port_id
-- @rows
SELECT time_ns, rx_udma AS "Received(MB/s)", tx_udma AS "Sent(MB/s)" FROM ub_sample WHERE device_id = :_device AND port_id = :_port ORDER BY time_ns, row
