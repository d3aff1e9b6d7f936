-- @family any
-- @style any
-- @title Notes
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM note)
-- @rows
SELECT text AS "Note" FROM note ORDER BY rowid
-- @why
SELECT 'none'
