-- @title Operators
-- @time Total(us)
-- @top 20
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM operator)
-- @rows
WITH sorted AS (
  SELECT *, row_number() OVER (PARTITION BY name, type ORDER BY mean_ns, rank) AS place, count(*) OVER (PARTITION BY name, type) AS n FROM operator
)
SELECT name AS "Operator", type AS "Type", max(n) AS "Ranks", total_int(tasks) AS "Tasks", decimal(total_int(total_ns), 1000, 3) AS "Total(us)",
  rounded(avg(mean_ns) / 1000, 3) AS "Mean(us)", rounded(min(mean_ns) / 1000, 3) AS "Min(us)",
  rounded(max(mean_ns) FILTER (WHERE place = (n + 3) / 4) / 1000, 3) AS "Q1(us)", rounded(avg(mean_ns) FILTER (WHERE place IN ((n + 1) / 2, (n + 2) / 2)) / 1000, 3) AS "Median(us)",
  rounded(max(mean_ns) FILTER (WHERE place = (3 * n + 3) / 4) / 1000, 3) AS "Q3(us)", rounded(max(mean_ns) / 1000, 3) AS "Max(us)",
  max(rank) FILTER (WHERE place = 1) AS "Rank of min", max(rank) FILTER (WHERE place = n) AS "Rank of max"
FROM sorted GROUP BY name, type ORDER BY total_int(total_ns) DESC, name, type
-- @why
SELECT 'no operator was recorded'
