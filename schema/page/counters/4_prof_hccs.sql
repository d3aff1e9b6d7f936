-- Traffic with other cards.
-- @needs links
-- @each
SELECT DISTINCT 'Device ' || device_id AS track, device_id AS _device FROM hccs_rate ORDER BY device_id
-- @rows
SELECT time_ns, rx_mbs AS "HCCS received(MB/s)", tx_mbs AS "HCCS sent(MB/s)" FROM hccs_rate WHERE device_id = :_device
