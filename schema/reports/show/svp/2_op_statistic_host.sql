-- @style default
-- @title Host op statistic
-- @decides OP Type, Total Time(us), Count, Avg(us), Max(us)
-- @time Total Time(us)
-- @top 5
-- @use svp_told_keys
-- @each
SELECT told.*, word('Model id : ') || coalesce(told.model_id, 'N/A') || char(10)
    || say('statistic.host') AS heading
FROM temp.choice c JOIN told ON c.model_id IS NULL OR told.model_id = c.model_id
-- @tally
SELECT c.detail, c.dur_ns AS value FROM source s CROSS JOIN api_call c
WHERE s.target = 'api_call' AND c.rowid BETWEEN s.first_row AND s.last_row AND s.device_id = :device_id AND s.model_id IS :model_id AND c.type = 1 AND c.detail <> ''
-- @use svp_host_operators
-- @rows
