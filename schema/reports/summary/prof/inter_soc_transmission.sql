-- @family prof
-- @style any
-- @file inter_soc_transmission_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM inter_soc)
-- @rows
SELECT s.device_id AS "Device_id", 'Average' AS "Metric", trimmed(avg(i.buffer_level)) AS "L2Buffer_bandwidth_level",
  trimmed(avg(i.mata_level)) AS "MATA_bandwidth_level"
FROM source s CROSS JOIN inter_soc i WHERE s.target = 'inter_soc' AND i.rowid BETWEEN s.first_row AND s.last_row GROUP BY s.device_id
