-- @family any
-- @style any
-- @title Standing
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM standing)
-- @rows
SELECT what AS "Data", standing AS "Standing", checks AS "Checks", failed AS "Failed", reason AS "Why" FROM standing ORDER BY place
