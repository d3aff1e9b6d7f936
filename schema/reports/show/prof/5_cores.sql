-- @title Sampled cores
-- @later
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM core_sum WHERE samples > 1)
-- @use prof_core_use
-- @rows
SELECT device_id AS "Device", CASE kind WHEN 'aic' THEN 'cube' ELSE 'vector' END AS "Cores of", count(*) AS "Cores", total_int(samples) AS "Samples", rounded(avg(use), 2) AS "Busy(%)",
  rounded(min(use), 2) AS "Least busy(%)", rounded(max(use), 2) AS "Busiest(%)"
FROM (SELECT device_id, kind, core, count(*) AS samples, 100000.0 * total(cycles) / nullif(total(mhz * span_ns), 0) AS use FROM core_use GROUP BY device_id, kind, core)
GROUP BY device_id, kind ORDER BY device_id, kind
