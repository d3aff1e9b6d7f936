-- @title Host op statistic
-- @decides OP Type, Total Time(us), Ratio(%), Count, Avg Time(us), Max Time(us)
-- @time Total Time(us)
-- @top 5
-- @each
SELECT say('statistic.host') AS heading WHERE EXISTS (SELECT 1 FROM host_operator)
-- @tally
SELECT op_type, dur_ns AS value FROM host_operator WHERE dur_ns >= 0
-- @use prof_host_operators
-- @rows
