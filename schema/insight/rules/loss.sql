-- @family any
-- @style any
-- @title Lost or damaged data
-- @first
-- @advice Numbers of this job are incomplete. Collect it again; msprof check tells where data is missing.
-- @source msprof check
-- @each
SELECT amount || ' ' || what AS subject, 'high' AS severity FROM loss ORDER BY what
-- @rows
SELECT file AS "File", offset AS "Offset", bytes AS "Bytes", reason AS "Reason" FROM damage ORDER BY bytes DESC, file, offset
