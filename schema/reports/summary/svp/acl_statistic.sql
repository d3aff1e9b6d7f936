-- @family svp
-- @style default
-- @file acl_statistic_{device_id}_{model_id}_{iter}
-- @use api_keys
-- @each
SELECT * FROM model
-- @use api_calls
-- @tally
-- @use calls
-- @rows
SELECT pid AS "Process ID", tid AS "Thread ID", mode AS "Type", name AS "Name",
  decimal(total_ns * 100, (SELECT total_int(total_ns) FROM call), 4) AS "Total Time Ratio(%)",
  decimal(total_ns, 1000, 3) AS "Total Time(us)", count AS "Count", decimal(total_ns, count * 1000, 3) AS "Avg(us)",
  decimal(max_ns, 1000, 3) AS "Max(us)", decimal(min_ns, 1000, 3) AS "Min(us)"
FROM api
