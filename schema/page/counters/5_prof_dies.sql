-- Data between dies.
-- @needs links
-- @each
SELECT DISTINCT 'Device ' || device_id || ', ' || die AS track, device_id AS _device, die AS _die FROM sio_die_rate ORDER BY device_id, die
-- @rows
SELECT time_ns, dat_rx AS "Data received(MB/s)", dat_tx AS "Data sent(MB/s)" FROM sio_die_rate WHERE device_id = :_device AND die = :_die ORDER BY time_ns
