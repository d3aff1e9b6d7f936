-- @title Sequence gaps
-- @each
SELECT word('gaps: ' || total_int(gaps)) AS heading FROM source HAVING total_int(gaps) > 0
-- @rows
SELECT file AS "File", offset AS "Offset", expected AS "Expected", found AS "Found" FROM sequence_gap
-- @why
SELECT 'none' FROM temp.choice WHERE each_step
