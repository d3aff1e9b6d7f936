-- This data has no calls.
-- @each
SELECT NULL AS thread, NULL AS k2, NULL AS k3, NULL AS dur_ns, NULL AS step WHERE 0
