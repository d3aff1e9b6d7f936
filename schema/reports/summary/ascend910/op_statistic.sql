-- @file op_statistic_{device_id}_{iter}
-- @newline crlf
-- @each
SELECT DISTINCT device_id, 1 AS iter FROM hwts_task
-- @use ascend_operators
-- @rows
