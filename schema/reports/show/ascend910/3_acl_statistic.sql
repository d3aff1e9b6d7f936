-- @title Acl statistic
-- @each
SELECT 1 AS _never WHERE 0
-- @why
SELECT 'API calls are not in this generation of data'
