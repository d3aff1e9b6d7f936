-- How the times of the time line compare.
-- @family ascend2022 ascend910
-- @each
SELECT (SELECT value FROM meta WHERE key = 'clock') AS clock
