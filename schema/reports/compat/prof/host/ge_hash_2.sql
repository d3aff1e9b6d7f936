-- @file ge_hash
-- @title TypeHashInfo
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM type_name)
-- @rows
SELECT CAST(t.type AS TEXT) AS hash_key, t.name AS hash_value, coalesce(l.name, CAST(t.level AS TEXT)) AS level FROM type_name t LEFT JOIN level l USING (level)
