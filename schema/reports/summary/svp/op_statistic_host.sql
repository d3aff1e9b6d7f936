-- @file op_statistic_{device_id}_{model_id}_{iter}
-- @use svp_told_keys
-- @each
SELECT * FROM told
-- @tally
SELECT c.detail, c.dur_ns AS value FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row AND s.device_id = :device_id AND s.model_id IS :model_id AND c.type = 1 AND c.detail <> ''
-- @use svp_host_operators
-- @rows
