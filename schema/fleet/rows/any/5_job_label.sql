-- What the user says of a job.
-- @title job_label
-- @types text text
-- @each
SELECT 1 AS _one
-- @rows
SELECT key AS name, value FROM json_each(:labels)
