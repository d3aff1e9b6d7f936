-- Traffic of PCIe: what is written to the other side without waiting for it.
-- @needs links
-- @each
SELECT DISTINCT 'Device ' || device_id AS track, device_id AS _device FROM pcie_sample WHERE tx_p_max >= tx_p_min ORDER BY device_id
-- @rows
SELECT time_ns, rx_p_avg * 1e6 / 1048576 AS "PCIe received(MB/s)", tx_p_avg * 1e6 / 1048576 AS "PCIe sent(MB/s)"
FROM pcie_sample WHERE device_id = :_device AND tx_p_max >= tx_p_min ORDER BY time_ns, row
