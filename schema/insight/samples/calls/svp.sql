-- @family svp
-- @style any
-- @each
SELECT tid AS thread, name AS k2, NULL AS k3, dur_ns FROM api_call
