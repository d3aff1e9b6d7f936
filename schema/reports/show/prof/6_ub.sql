-- @title Unified bus
-- @top 5
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM ub)
-- @rows
SELECT device_id AS "Device", port_id AS "Port", count(*) AS "Samples", rounded(avg(rx_udma), 2) AS "Received(MB/s)", max(rx_udma) AS "Most received", rounded(avg(tx_udma), 2) AS "Sent(MB/s)",
  max(tx_udma) AS "Most sent"
FROM ub_sample GROUP BY device_id, port_id ORDER BY total(rx_udma) + total(tx_udma) DESC, device_id, port_id
