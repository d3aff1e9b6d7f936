-- The tally of operators that the program told: time on the host by type, in whole ns.
WITH operator AS (
  SELECT coalesce((SELECT name FROM name WHERE hash = k1), CASE k1 WHEN 0 THEN 'N/A' ELSE printf('%u', k1) END) AS op_type, total_int(count) AS count,
    total_int(total) AS total, min(shortest) AS shortest, max(longest) AS longest
  FROM tally GROUP BY 1
)
SELECT 'host' AS "Device_id", op_type AS "OP Type", 'HOST' AS "Core Type", count AS "Count", trimmed(total / 1000.0) AS "Total Time(us)",
  trimmed(shortest / 1000.0) AS "Min Time(us)", trimmed(total / count / 1000.0) AS "Avg Time(us)", trimmed(longest / 1000.0) AS "Max Time(us)",
  trimmed(100.0 * total / (SELECT total_int(a.total) FROM operator a)) AS "Ratio(%)"
FROM operator ORDER BY total DESC, longest DESC, op_type
