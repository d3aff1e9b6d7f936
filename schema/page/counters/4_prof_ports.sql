-- What network cards and RDMA over Ethernet carry of their bandwidth.
-- @needs links
-- @each
SELECT DISTINCT 'Device ' || device_id || ', ' || upper(what) || ' ' || func_id AS track, device_id AS _device, what AS _what, func_id AS _port FROM port_rate ORDER BY device_id, what, func_id
-- @rows
SELECT time_ns, 100 * rx_share AS "Received(%)", 100 * tx_share AS "Sent(%)" FROM port_rate WHERE device_id = :_device AND what = :_what AND func_id = :_port ORDER BY time_ns
