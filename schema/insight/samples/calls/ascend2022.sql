-- @each
SELECT tid AS thread, name AS k2, NULL AS k3, dur_ns, NULL AS step FROM api_call
-- @rows
SELECT thread_id, name, NULL, dur_ns, NULL FROM runtime_api
