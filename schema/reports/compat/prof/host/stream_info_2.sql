-- @file stream_info
-- @title StreamExpandSpec
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM expand_stream_spec)
-- @rows
SELECT expand_status FROM expand_stream_spec ORDER BY rowid
