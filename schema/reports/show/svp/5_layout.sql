-- @family svp
-- @style any
-- @title Layout
-- @each
SELECT file, text AS what, file || ': ' || text AS heading FROM note WHERE kind = 'layout' ORDER BY rowid
