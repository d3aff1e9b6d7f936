-- How the times of the time line compare.
-- @each
SELECT CASE WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock')
  THEN 'Tasks and calls have one clock: that of the board, in ns since 1970. Starts of tasks follow from the start of their inference, in us, and the durations before them.'
  ELSE 'Tasks have core ticks of the device, calls have the clock of the board. Both begin at 0 here: do not compare them with each other.' END AS clock
