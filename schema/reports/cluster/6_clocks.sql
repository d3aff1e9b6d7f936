-- @title Clocks
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM clock)
-- @rows
SELECT rank AS "Rank", decimal(offset_ns, 1000, 3) AS "Offset(us)", collectives AS "Collectives" FROM clock ORDER BY rank
-- @why
SELECT 'no collective operation was recorded by two ranks'
