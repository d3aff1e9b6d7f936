-- @file hbm
-- @title HBMbwData
-- @each
SELECT DISTINCT device_id FROM hbm_rate
-- @rows
SELECT device_id, time_ns AS timestamp, mbs AS bandwidth, hbm_id AS hbmid, CASE type WHEN 0 THEN 'read' ELSE 'write' END AS event_type FROM hbm_rate
WHERE device_id = :device_id ORDER BY time_ns, type, hbm_id
