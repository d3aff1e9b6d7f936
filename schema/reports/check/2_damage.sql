-- @title Damage
-- @each
SELECT word('places: ' || count(*) || ', bytes: ' || total_int(bytes)) AS heading FROM damage HAVING count(*)
-- @rows
SELECT file AS "File", offset AS "Offset", bytes AS "Bytes", reason AS "Reason" FROM damage
-- @why
SELECT 'none: every byte of the files that are understood belongs to a record' FROM temp.choice WHERE each_step
