-- @file {_what}_{time}
-- @use prof_stamp
-- @each
SELECT time, _text_wall AS _wall, 'nic' AS _what FROM stamp WHERE EXISTS (SELECT 1 FROM nic WHERE stamp_ns IS NOT NULL)
UNION ALL SELECT time, _text_wall AS _wall, 'roce' FROM stamp WHERE EXISTS (SELECT 1 FROM roce WHERE stamp_ns IS NOT NULL)
-- @rows
-- RDMA without a bandwidth has no rates.
WITH line AS (
  SELECT s.device_id, x.*, coalesce(x.func_id, 0) AS func, total(rx_errors) OVER d / count(rx_errors) OVER d AS all_rx_errors
  FROM source s CROSS JOIN (SELECT 'nic' AS target, rowid AS row, * FROM nic UNION ALL SELECT 'roce', rowid, * FROM roce) x
  ON x.target = s.target AND x.row BETWEEN s.first_row AND s.last_row
  WHERE s.target = :_what AND x.stamp_ns IS NOT NULL WINDOW d AS (PARTITION BY s.device_id)
), port AS (
  SELECT device_id, func, min(row) AS row, count(*) AS lines, max(stamp_ns) - min(stamp_ns) AS span_ns, bandwidth,
    8.0 * (max(rx_bytes) - min(rx_bytes)) AS rx_bits, 8.0 * (max(tx_bytes) - min(tx_bytes)) AS tx_bits, total(rx_packet) AS rx_packet, total(tx_packet) AS tx_packet,
    all_rx_errors AS rx_errors, avg(rx_dropped) AS rx_dropped, avg(tx_errors) AS tx_errors, total(tx_dropped) AS tx_dropped, rx_packets, tx_packets, total(rx_errors) AS own_rx_errors
  FROM line GROUP BY device_id, func
), rate AS (
  SELECT *, CASE WHEN lines = 1 THEN 0 ELSE coalesce(rounded(rx_bits / nullif(1.0 * span_ns * bandwidth * 1048576, 0), 3), 0) END AS rx_share,
    CASE WHEN lines = 1 THEN 0 ELSE coalesce(rounded(tx_bits / nullif(1.0 * span_ns * bandwidth * 1048576, 0), 3), 0) END AS tx_share,
    CASE WHEN lines = 1 THEN rx_packet WHEN :_what = 'roce' AND bandwidth = 0 THEN 0 ELSE coalesce(rounded(rx_packet / nullif(span_ns, 0), 3), 0) END AS rx_rate,
    CASE WHEN lines = 1 THEN tx_packet WHEN :_what = 'roce' AND bandwidth = 0 THEN 0 ELSE coalesce(rounded(tx_packet / nullif(span_ns, 0), 3), 0) END AS tx_rate,
    CASE WHEN lines = 1 THEN rounded(1.0 * own_rx_errors / nullif(rx_packets, 0), 3)
      WHEN span_ns > 0 AND (:_what = 'nic' OR bandwidth <> 0) THEN rounded(rx_errors / nullif(rx_packet, 0), 3) * 100 END AS rx_error_rate,
    CASE WHEN lines = 1 THEN rounded(rx_dropped / nullif(rx_packets, 0), 3)
      WHEN span_ns > 0 AND (:_what = 'nic' OR bandwidth <> 0) THEN rounded(rx_dropped / nullif(rx_packet, 0), 3) * 100 END AS rx_drop_rate,
    CASE WHEN lines = 1 THEN rounded(tx_errors / nullif(tx_packets, 0), 3)
      WHEN span_ns > 0 AND (:_what = 'nic' OR bandwidth <> 0) THEN rounded(tx_errors / nullif(tx_packet, 0), 3) * 100 END AS tx_error_rate,
    CASE WHEN lines = 1 THEN rounded(tx_dropped / nullif(tx_packets, 0), 3)
      WHEN span_ns > 0 AND (:_what = 'nic' OR bandwidth <> 0) THEN rounded(tx_dropped / nullif(tx_packet, 0), 3) * 100 END AS tx_drop_rate
  FROM port
)
SELECT device_id AS "Device_id", us(span_ns + :_wall) || char(9) AS "Timestamp(us)", repr(rounded(1.0 * bandwidth, 3)) AS "Bandwidth(MB/s)",
  repr(rounded(1.0 * rx_share, 3)) AS "Rx Bandwidth efficiency(%)", repr(rounded(1.0 * rx_rate, 3)) AS "rxPacket/s", repr(rounded(coalesce(rx_error_rate, 0.0), 3)) AS "rxError rate(%)",
  repr(rounded(coalesce(rx_drop_rate, 0.0), 3)) AS "rxDropped rate(%)", repr(rounded(1.0 * tx_share, 3)) AS "Tx Bandwidth efficiency(%)",
  repr(rounded(1.0 * tx_rate, 3)) AS "txPacket/s", repr(rounded(coalesce(tx_error_rate, 0.0), 3)) AS "txError rate(%)", repr(rounded(coalesce(tx_drop_rate, 0.0), 3)) AS "txDropped rate(%)",
  func AS "funcId"
FROM rate ORDER BY device_id, row
