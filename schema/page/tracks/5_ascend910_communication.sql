-- Collective operations between their points.
-- @process Device {device}
-- @thread Communication
-- @each
SELECT DISTINCT grp AS device, 0 AS clock, grp AS _device FROM temp.collective ORDER BY grp
-- @rows
SELECT rowid AS row, 0 AS track, name AS k1, NULL AS k2, NULL AS k3, start_ns, end_ns - start_ns AS dur_ns FROM temp.collective WHERE grp = :_device ORDER BY start_ns
