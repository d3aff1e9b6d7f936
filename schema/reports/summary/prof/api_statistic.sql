-- @family prof
-- @style any
-- @file api_statistic_{time}
-- @use prof_stamp
-- @each
SELECT time, _from_ns, _to_ns FROM stamp WHERE EXISTS (SELECT 1 FROM api)
-- @tally
SELECT level, CASE level WHEN 5500 THEN item_id ELSE type END AS type, dur_ns AS value FROM api
WHERE :_to_ns < 9223372036854775807 AND dur_ns >= 0 AND start_ns > :_from_ns AND start_ns <= :_to_ns
-- @use prof_calls
-- @rows
SELECT 'host' AS "Device_id", level AS "Level", name AS "API Name", total_us AS "Time(us)", count AS "Count", avg_us AS "Avg(us)",
  min_us AS "Min(us)", max_us AS "Max(us)", variance AS "Variance"
FROM api_sum
