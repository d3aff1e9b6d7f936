-- @title Api statistic
-- @decides API Name, Time(us), Count, Avg(us), Max(us)
-- @needs calls
-- @time Time(us)
-- @top 5
-- @later
-- @use prof_chosen
-- @each
SELECT _from_ns, _to_ns FROM chosen WHERE EXISTS (SELECT 1 FROM api)
-- @tally
SELECT level, CASE level WHEN 5500 THEN item_id ELSE type END AS type, dur_ns AS value FROM api
WHERE :_to_ns < 9223372036854775807 AND dur_ns >= 0 AND start_ns > :_from_ns AND start_ns <= :_to_ns
-- @use prof_calls
-- @rows
SELECT level AS "Level", name AS "API Name", total_us AS "Time(us)", count AS "Count", avg_us AS "Avg(us)",
  min_us AS "Min(us)", max_us AS "Max(us)", variance AS "Variance"
FROM api_sum
-- @why
SELECT 'no api_event record in host/data'
