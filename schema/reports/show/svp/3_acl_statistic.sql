-- @style default
-- @title Acl statistic
-- @decides Name, Total Time(us), Total Time Ratio(%), Count, Avg(us), Max(us), Type
-- @needs calls
-- @time Total Time(us)
-- @top 5
-- @later
-- @use api_keys
-- @each
SELECT model.*, CASE WHEN (SELECT count(*) FROM device) > 1 THEN word('Device id : ') || device_id || ' ' ELSE '' END
    || word('Model id : ') || coalesce(model.model_id, 'N/A') AS heading
FROM temp.choice c JOIN model ON c.model_id IS NULL OR model.model_id = c.model_id
-- @use api_calls
-- @tally
-- @use calls
-- @rows
SELECT pid AS "Process ID", tid AS "/Thread ID", mode AS "Type", name AS "Name", decimal(total, 1000, 3) AS "Total Time(us)",
  decimal(total * 100, (SELECT total_int(total) FROM call), 4) AS "/Total Time Ratio(%)", count AS "Count",
  decimal(total, count * 1000, 3) AS "Avg(us)", decimal(shortest, 1000, 3) AS "/Min(us)", decimal(longest, 1000, 3) AS "/Max(us)"
FROM api
-- @why
SELECT CASE
  WHEN (SELECT model_id FROM temp.choice) IS NOT NULL AND EXISTS (SELECT 1 FROM api_call) THEN 'no call of model ' || (SELECT model_id FROM temp.choice)
  WHEN EXISTS (SELECT 1 FROM api_call) THEN 'only marks and ranges were recorded, no call'
  ELSE 'no acl_api.* record in data/' END
