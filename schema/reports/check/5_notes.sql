-- @family any
-- @style any
-- @title Notes
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM note)
-- @rows
SELECT kind AS "Kind", file AS "File",
  text AS "Note" FROM note, temp.choice ORDER BY note.rowid
-- @why
SELECT 'none: nothing was assumed, nothing is odd, no marker is missing' FROM temp.choice WHERE each_step
