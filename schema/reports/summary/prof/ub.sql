-- @use prof_stamp
-- @each
SELECT time, _exact_wall AS _wall FROM stamp WHERE EXISTS (SELECT 1 FROM ub)
-- @rows
SELECT device_id AS "Device_id", port_id AS "PortId", us(time_ns + :_wall) || char(9) AS "TimeStamp", rx_udma AS "UBRxPortBandWidth(MB/s)", tx_udma AS "UBTxPortBandWidth(MB/s)"
FROM ub_sample ORDER BY row
