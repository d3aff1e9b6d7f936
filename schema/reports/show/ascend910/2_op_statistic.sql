-- @family ascend910
-- @style any
-- @title Op statistic
-- @needs tasks
-- @time Total Time(us)
-- @join Core Type, Total Time(us), Avg Time(us), Max Time(us)
-- @top 5
-- @each
SELECT DISTINCT device_id, 'Device id : ' || device_id AS heading FROM hwts_task
-- @use ascend_operators
-- @rows
-- @why
SELECT 'no pair of task start and end in data/'
