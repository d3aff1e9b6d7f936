-- Traffic of each stack of high-bandwidth memory.
-- @needs memory
-- @each
SELECT DISTINCT 'Device ' || device_id || ', HBM ' || hbm_id AS track, device_id AS _device, hbm_id AS _hbm FROM hbm_rate ORDER BY device_id, hbm_id
-- @rows
SELECT time_ns, CASE type WHEN 0 THEN mbs END AS "HBM read(MB/s)", CASE WHEN type <> 0 THEN mbs END AS "HBM written(MB/s)"
FROM hbm_rate WHERE device_id = :_device AND hbm_id = :_hbm
