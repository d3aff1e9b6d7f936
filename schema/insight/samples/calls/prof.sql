-- @each
SELECT thread_id AS thread, level AS k2, type AS k3, dur_ns, NULL AS step FROM api
