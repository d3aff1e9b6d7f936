-- @file {_name}_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT scope.*, column1 AS _place, column2 AS _name FROM scope CROSS JOIN (VALUES (12, 'nic'), (13, 'roce'))
WHERE EXISTS (SELECT 1 FROM port_sample p WHERE p.place = column1 AND p.device_id = scope.device_id)
-- @rows
-- A port with one line has the numbers of that line. Else counts are over the time between the lines, errors over packets; the
-- errors received are those of all ports. Numbers are texts like in the reference.
WITH line AS (
  SELECT *, coalesce(func_id, 0) AS port, row_number() OVER () AS n FROM port_sample WHERE place = :_place AND device_id = :device_id
), first AS (
  SELECT l.* FROM line l JOIN (SELECT min(n) AS n FROM line GROUP BY port) f ON f.n = l.n
), sums AS (
  SELECT port, count(*) AS lines, 1.0 * (max(stamp_ns) - min(stamp_ns)) AS span, 8.0 * (max(rx_bytes) - min(rx_bytes)) AS rx_bits,
    8.0 * (max(tx_bytes) - min(tx_bytes)) AS tx_bits, total(rx_packet) AS rx, total(tx_packet) AS tx,
    (SELECT avg(rx_errors) FROM line) AS rx_errors, avg(rx_dropped) AS rx_dropped, avg(tx_errors) AS tx_errors, total(tx_dropped) AS tx_dropped
  FROM line GROUP BY port
), part AS (
  SELECT f.*, s.lines, s.span, s.lines > 1 AND s.span <> 0 AND (:_place = 12 OR f.bandwidth <> 0) AS runs, s.rx_bits / nullif(f.bandwidth * 1048576.0 * s.span, 0) AS rx_use,
    s.tx_bits / nullif(f.bandwidth * 1048576.0 * s.span, 0) AS tx_use, s.rx, s.tx, s.rx_errors AS rx_error, s.rx_dropped AS rx_drop, s.tx_errors AS tx_error, s.tx_dropped AS tx_drop
  FROM first f JOIN sums s USING (port)
)
SELECT CAST(span AS TEXT) AS "Timestamp", bandwidth AS "Bandwidth(MB/s)",
  CASE WHEN runs AND rx_use IS NOT NULL THEN rounded(rx_use, 3) ELSE 0 END AS "Rx Bandwidth efficiency(%)",
  CASE WHEN lines = 1 THEN 1.0 * rx_packet WHEN runs THEN rounded(rx / span, 3) ELSE 0 END AS "rxPacket/s",
  CASE WHEN lines = 1 THEN coalesce(rounded(1.0 * rx_errors / nullif(rx_packets, 0), 3), 0)
    WHEN runs AND rx THEN repr(rounded(rx_error / rx, 3) * 100) || '%' ELSE '0%' END AS "rxError rate(%)",
  CASE WHEN lines = 1 THEN coalesce(rounded(1.0 * rx_dropped / nullif(rx_packets, 0), 3), 0)
    WHEN runs AND rx THEN repr(rounded(rx_drop / rx, 3) * 100) || '%' ELSE '0%' END AS "rxDropped rate(%)",
  CASE WHEN runs AND tx_use IS NOT NULL THEN rounded(tx_use, 3) ELSE 0 END AS "Tx Bandwidth efficiency(%)",
  CASE WHEN lines = 1 THEN 1.0 * tx_packet WHEN runs THEN rounded(tx / span, 3) ELSE 0 END AS "txPacket/s",
  CASE WHEN lines = 1 THEN coalesce(rounded(1.0 * tx_errors / nullif(tx_packets, 0), 3), 0)
    WHEN runs AND tx THEN repr(rounded(tx_error / tx, 3) * 100) || '%' ELSE '0%' END AS "txError rate(%)",
  CASE WHEN lines = 1 THEN coalesce(rounded(1.0 * tx_dropped / nullif(tx_packets, 0), 3), 0)
    WHEN runs AND tx THEN repr(rounded(tx_drop / tx, 3) * 100) || '%' ELSE '0%' END AS "txDropped rate(%)",
  port AS "funcId"
FROM part ORDER BY part.n
