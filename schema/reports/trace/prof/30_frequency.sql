-- @process AI Core Freq, NPU {process}
-- @use prof_stamp
-- @each
SELECT _exact_wall AS _wall, _from_ns, _to_ns FROM stamp WHERE _want_freq
-- @rows
SELECT 15 AS layer, device_id AS process, 'AI Core Freq' AS name, time_ns + :_wall AS time_ns, mhz AS "value.MHz"
FROM frequency_point WHERE is_change < 2 AND time_ns > :_from_ns AND time_ns <= :_to_ns{range device time_ns; time_ns}{device device_id} ORDER BY device_id, number
