-- @once told_point
-- The points of the curve of frequencies, which a trace reads several times.
WITH told_point AS (SELECT * FROM frequency_point)
