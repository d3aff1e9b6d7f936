-- The tally of operators that the program told: time on the host by type, in whole ns.
WITH operator AS (
  SELECT k1 AS op_type, total_int(count) AS count, total_int(total) AS total, min(shortest) AS shortest, max(longest) AS longest FROM tally GROUP BY 1
)
SELECT op_type AS "OP Type", 'HOST' AS "Task Type", decimal(total, 1000, 3) AS "Total Time(us)",
  decimal(total * 100, (SELECT total_int(a.total) FROM operator a), 4) AS "Total Time Ratio(%)", count AS "Count", decimal(total, count * 1000, 3) AS "Avg(us)",
  decimal(longest, 1000, 3) AS "Max(us)", decimal(shortest, 1000, 3) AS "Min(us)"
FROM operator ORDER BY total DESC, op_type
