-- @style default
-- @file acl_statistic_{device_id}_{model_id}_{iter}
-- @needs calls
-- @use api_keys
-- @each
SELECT * FROM model
-- @use api_calls
-- @tally
-- @use calls
-- @rows
SELECT pid AS "Process ID", tid AS "Thread ID", mode AS "Type", name AS "Name",
  decimal(total * 100, (SELECT total_int(total) FROM call), 4) AS "Total Time Ratio(%)",
  decimal(total, 1000, 3) AS "Total Time(us)", count AS "Count", decimal(total, count * 1000, 3) AS "Avg(us)",
  decimal(longest, 1000, 3) AS "Max(us)", decimal(shortest, 1000, 3) AS "Min(us)"
FROM api
