-- @title Acl statistic
-- @decides Name, Time(us), Time(%), Count, Avg(us), Max(us), Type
-- @needs calls
-- @time Time(us)
-- @top 5
-- @later
-- @each
SELECT DISTINCT device_id, word('Device id : ') || device_id AS heading FROM source WHERE target = 'api_call' AND records > 0
-- @use ascend2022_calls
-- @use ascend2022_call_statistic
-- @rows
SELECT name AS "Name", type AS "Type", ratio AS "Time(%)", rounded(total, 3) AS "Time(us)", count AS "Count", rounded(total / count, 6) AS "Avg(us)",
  shortest AS "Min(us)", longest AS "Max(us)", pid AS "Process ID", tid AS "Thread ID"
FROM statistic ORDER BY total DESC, name
-- @why
SELECT 'no AclModule.* record in data/'
