-- @family any
-- @style any
-- @title Clocks
-- @each
SELECT 1 AS _any
-- @rows
SELECT rank AS "Rank", decimal(offset_ns, 1000, 3) AS "Offset(us)", collectives AS "Collectives" FROM clock ORDER BY rank
