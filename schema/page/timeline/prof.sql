-- How the times of the time line compare.
-- @each
SELECT 'Tasks, calls and samples have the monotonic clock of the host.' AS clock
