-- @each
SELECT tid AS thread, name AS k2, NULL AS k3, dur_ns, name IN ('svp_acl_mdl_execute', 'svp_acl_mdl_execute_async') AS step FROM api_call
