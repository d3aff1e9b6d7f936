-- @title Assumed
-- @each
SELECT file, text AS what, coalesce(file || ': ', '') || word(text) AS heading FROM note WHERE kind = 'assumed' ORDER BY rowid
