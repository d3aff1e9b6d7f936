-- @title Op statistic
-- @decides OP Type, Total Time(us), Ratio(%), Count, Avg Time(us), Max Time(us), Core Type
-- @needs tasks
-- @time Total Time(us)
-- @top 5
-- @each
SELECT DISTINCT device_id, word('Device id : ') || device_id AS heading FROM hwts_task
-- @use ascend_operators
-- @rows
-- @why
SELECT 'no pair of task start and end in data/'
