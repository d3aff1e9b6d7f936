-- @family any
-- @style any
-- @title Damage
-- @each
SELECT count(*) || ' places, ' || sum(bytes) || ' bytes' AS heading FROM damage HAVING count(*)
-- @rows
SELECT file AS "File", offset AS "Offset", bytes AS "Bytes", reason AS "Reason" FROM damage
-- @why
SELECT 'every byte belongs to a record'
