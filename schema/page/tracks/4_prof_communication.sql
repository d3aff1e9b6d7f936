-- Collective operations of each group.
-- @family prof
-- @style any
-- @form device
-- @process Device {device}
-- @thread Communication {number}
-- @each
SELECT device_id AS device, 0 AS clock, device_id AS _device, step_group AS _group, row_number() OVER (PARTITION BY device_id ORDER BY min(id)) AS number
FROM comm_op WHERE start_ns IS NOT NULL GROUP BY device_id, step_group ORDER BY device_id, min(id)
-- @rows
SELECT id AS row, 0 AS track, name AS k1, NULL AS k2, NULL AS k3, start_ns, end_ns - start_ns AS dur_ns FROM comm_op
WHERE device_id = :_device AND step_group IS :_group AND start_ns IS NOT NULL
