-- @family any
-- @style any
-- @title Notes
-- @each
SELECT 1 AS _any
-- @rows
SELECT text AS "Note" FROM note ORDER BY rowid
