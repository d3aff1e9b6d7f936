-- @family svp
-- @style any
-- @title Acl statistic
-- @time Total Time(us)
-- @use api_keys
-- @each
SELECT *, CASE WHEN (SELECT count(*) FROM device) > 1 THEN 'Device id : ' || device_id || ' ' ELSE '' END
    || 'Model id : ' || coalesce(model_id, 'N/A') AS heading FROM model
-- @use api_calls
-- @tally
-- @use calls
-- @rows
SELECT pid AS "Process ID", tid AS "Thread ID", mode AS "Type", name AS "Name",
  CASE :style WHEN 'vendor' THEN whole_us ELSE decimal(total_ns, 1000, 3) END AS "Total Time(us)",
  CASE :style WHEN 'vendor' THEN decimal(whole_us * 100, (SELECT total_int(whole_us) FROM call), 4)
    ELSE decimal(total_ns * 100, (SELECT total_int(total_ns) FROM call), 4) END AS "Total Time Ratio(%)",
  count AS "Count",
  CASE :style WHEN 'vendor' THEN whole_us / count ELSE decimal(total_ns, count * 1000, 3) END AS "Avg(us)",
  CASE :style WHEN 'vendor' THEN min_ns / 1000 ELSE decimal(min_ns, 1000, 3) END AS "Min(us)",
  CASE :style WHEN 'vendor' THEN max_ns / 1000 ELSE decimal(max_ns, 1000, 3) END AS "Max(us)"
FROM api
-- @why
SELECT CASE WHEN EXISTS (SELECT 1 FROM api_call) THEN 'only marks and ranges were recorded, no call'
  WHEN EXISTS (SELECT 1 FROM note WHERE kind = 'layout') THEN 'the bytes of data/ do not fit their layout (see below)'
  ELSE 'no acl_api.* (AclModule.*) record in data/' END
