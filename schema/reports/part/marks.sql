-- The marks and ranges of a tally: (mark or range, domain, message), times in ns. A mark has no time.
WITH mark AS (
  SELECT k1 AS what, k2 AS domain, k3 AS message, total_int(count) AS count, total_int(total) AS total, min(shortest) AS shortest, max(longest) AS longest
  FROM tally GROUP BY k1, k2, k3
)
SELECT what AS "Type", domain AS "Domain", message AS "Message", count AS "Count",
  CASE what WHEN 'range' THEN decimal(total, 1000, 3) END AS "Total Time(us)", CASE what WHEN 'range' THEN decimal(total, count * 1000, 3) END AS "Avg(us)",
  CASE what WHEN 'range' THEN decimal(shortest, 1000, 3) END AS "Min(us)", CASE what WHEN 'range' THEN decimal(longest, 1000, 3) END AS "/Max(us)"
FROM mark ORDER BY total DESC, message, domain, what
