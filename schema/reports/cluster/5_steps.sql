-- @title Steps
-- @time Max(us)
-- @top 20
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM step)
-- @rows
WITH sorted AS (
  SELECT number, label, rank, span_ns, row_number() OVER (PARTITION BY number ORDER BY span_ns, rank) AS place, count(*) OVER (PARTITION BY number) AS n FROM step
)
SELECT number AS "Step", min(label) AS "Iteration", max(n) AS "Ranks", decimal(min(span_ns), 1000, 3) AS "Min(us)",
  rounded(avg(span_ns) FILTER (WHERE place IN ((n + 1) / 2, (n + 2) / 2)) / 1000, 3) AS "Median(us)", decimal(max(span_ns), 1000, 3) AS "Max(us)",
  max(rank) FILTER (WHERE place = n) AS "Slowest rank"
FROM sorted GROUP BY number ORDER BY number
-- @why
SELECT 'no step was recorded'
