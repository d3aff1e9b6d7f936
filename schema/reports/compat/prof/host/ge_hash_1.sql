-- @file ge_hash
-- @title GeHashInfo
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM name)
-- @rows
SELECT printf('%u', hash) AS hash_key, name AS hash_value FROM name
