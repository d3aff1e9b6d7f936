-- @family svp
-- @style any
-- @title Layout
-- @each
WITH misfit AS (
  SELECT note.rowid AS id, file, text AS what FROM note, temp.choice WHERE kind = 'layout')
SELECT file, what, file || ': ' || what AS heading FROM misfit ORDER BY id
