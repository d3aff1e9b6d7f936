-- @family prof
-- @style any
-- @title Api statistic
-- @time Time(us)
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM api)
-- @tally
SELECT level, type, dur_ns AS value FROM api LIMIT 0
-- @use prof_calls
-- @rows
SELECT level AS "Level", name AS "API Name", total_us AS "Time(us)", count AS "Count", avg_us AS "Avg(us)",
  min_us AS "Min(us)", max_us AS "Max(us)", variance AS "Variance"
FROM api_sum
-- @why
SELECT 'no api_event record in host/data'
