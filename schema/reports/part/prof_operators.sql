-- The tally of operators: time by (device, operator type, core type), in ticks of an odd clock or ns. Collectives are left
-- out; what has no row (write back, invalid) counts in the ratios. Numbers lose their trailing zeros; the mean is one of whole ns.
WITH sums AS (
  SELECT k1 AS device_id, k2 AS op_type, k3 AS core_type, total_int(count) AS count, total_int(total) * ns AS total, min(shortest) * ns AS shortest,
    max(longest) * ns AS longest
  FROM tally CROSS JOIN (SELECT coalesce(tick_ns, 1) AS ns FROM odd_clock)
  WHERE k3 IS NOT 9 AND k3 IS NOT 256 GROUP BY k1, k2, k3
), whole AS (
  SELECT device_id, total(total) AS total FROM sums GROUP BY device_id
), named AS (
  SELECT s.device_id, p.place AS told, coalesce((SELECT name FROM name WHERE hash = s.op_type), printf('%u', s.op_type)) AS op_type,
    coalesce((SELECT name FROM node_kind WHERE kind = s.core_type), CAST(s.core_type AS TEXT)) AS core_type, count,
    trimmed(s.total / 1000.0) AS total_us, trimmed(shortest / 1000.0) AS min_us, trimmed(s.total / count / 1000.0) AS avg_us,
    trimmed(longest / 1000.0) AS max_us,
    trimmed(100.0 * s.total / w.total) AS ratio, s.total, longest
  FROM sums s LEFT JOIN whole w ON w.device_id = s.device_id LEFT JOIN op_place p ON p.device_id = s.device_id AND p.op_type = s.op_type AND p.core_type IS s.core_type
  WHERE s.core_type IS NOT 3 AND s.core_type IS NOT 11
), operator AS (
  SELECT *, row_number() OVER (ORDER BY total DESC, told, device_id DESC, longest DESC, op_type, core_type) AS place FROM named
)
