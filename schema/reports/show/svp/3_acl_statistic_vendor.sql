-- @style vendor
-- @title Acl statistic
-- @needs calls
-- @time Total Time(us)
-- @use api_keys
-- @each
SELECT model.*, CASE WHEN (SELECT count(*) FROM device) > 1 THEN word('Device id : ') || device_id || ' ' ELSE '' END
    || word('Model id : ') || coalesce(model.model_id, 'N/A') AS heading
FROM temp.choice c JOIN model ON c.model_id IS NULL OR model.model_id = c.model_id
-- @use api_calls
-- @tally
-- @use calls
-- @rows
SELECT pid AS "Process ID", tid AS "Thread ID", mode AS "Type", name AS "Name", whole_us AS "Total Time(us)",
  decimal(whole_us * 100, (SELECT total_int(whole_us) FROM call), 4) AS "Total Time Ratio(%)", count AS "Count", whole_us / count AS "Avg(us)",
  shortest / 1000 AS "Min(us)", longest / 1000 AS "Max(us)"
FROM api
-- @why
SELECT CASE
  WHEN (SELECT model_id FROM temp.choice) IS NOT NULL AND EXISTS (SELECT 1 FROM api_call) THEN 'no call of model ' || (SELECT model_id FROM temp.choice)
  WHEN EXISTS (SELECT 1 FROM api_call) THEN 'only marks and ranges were recorded, no call'
  ELSE 'no acl_api.* record in data/' END
