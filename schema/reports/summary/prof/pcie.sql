-- @family prof
-- @style any
-- @file pcie_{time}
-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM pcie)
-- @rows
SELECT device_id AS "Device_id", mode AS "Mode", least AS "Min", most AS "Max", trimmed(mean) AS "Avg" FROM pcie_total ORDER BY device_id, place
