-- How the times of the time line compare.
-- @family svp
-- @style any
-- @each
SELECT 'Tasks have core ticks of the device, calls have the clock of the board. Both begin at 0 here: do not compare them with each other.' AS clock
