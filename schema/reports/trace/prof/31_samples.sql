-- @process CPU
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns, _begin_ns, _off FROM stamp
-- @use prof_samples
-- @rows
SELECT sort_index AS layer, 31 AS process, name, time_ns + :_wall AS time_ns, CASE series WHEN 'Usage(%)' THEN value END AS "value.Usage(%)",
  CASE series WHEN 'KB' THEN value END AS "value.KB", track || ', CPU' AS _process
FROM curve WHERE NOT has_bit(:_off, sort_index) AND time_ns > :_from_ns AND time_ns <= :_to_ns{range host time_ns; time_ns}
