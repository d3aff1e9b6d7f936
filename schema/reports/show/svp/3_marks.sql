-- @style default
-- @title Marks and ranges
-- @time Total Time(us)
-- @top 5
-- @later
-- @each
SELECT 1 AS _any FROM api_call WHERE type = 5 LIMIT 1
-- @tally
SELECT CASE dur_ns WHEN 0 THEN 'mark' ELSE 'range' END AS what, detail AS domain, name, coalesce(dur_ns, 0) AS value FROM api_call WHERE type = 5
-- @use marks
-- @rows
