-- How the times of the time line compare.
-- @family prof
-- @style any
-- @each
SELECT 'Tasks, calls and samples have the monotonic clock of the host.' AS clock
