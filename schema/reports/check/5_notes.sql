-- @title Notes
-- @each
SELECT 1 AS _any FROM temp.choice WHERE EXISTS (SELECT 1 FROM note WHERE kind <> 'counters' OR each_step) -- the standing of counters says the same
-- @rows
SELECT kind AS "Kind", file AS "File",
  text AS "Note" FROM note, temp.choice WHERE kind <> 'counters' OR each_step ORDER BY note.rowid
-- @why
SELECT 'none: nothing was assumed, nothing is odd, no marker is missing' FROM temp.choice WHERE each_step
