-- @style vendor
-- @file acl_statistic_{device_id}_{model_id}_{iter}
-- @needs calls
-- @use api_keys
-- @each
SELECT * FROM model
-- @use api_calls
-- @tally
-- @use calls
-- @rows
SELECT pid AS "Process ID", tid AS "Thread ID", mode AS "Type", name AS "Name", whole_us AS "Total Time(us)",
  CAST(whole_us AS REAL) / (SELECT total_int(whole_us) FROM call) * 100 AS "Total Time Ratio(%)",
  count AS "Count", whole_us / count AS "Avg(us)", shortest / 1000 AS "Min(us)", longest / 1000 AS "Max(us)"
FROM api
