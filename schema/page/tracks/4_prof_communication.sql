-- Collective operations of each group.
-- @process Device {device}
-- @thread Communication {number}
-- @each
SELECT device_id AS device, 0 AS clock, device_id AS _device, step_group AS _group, row_number() OVER (PARTITION BY device_id ORDER BY min(id)) AS number
FROM comm_op WHERE start_ns IS NOT NULL GROUP BY device_id, step_group ORDER BY device_id, min(id)
-- @rows
SELECT o.id AS row, 0 AS track, o.name AS k1, NULL AS k2, NULL AS k3, o.start_ns, o.end_ns - o.start_ns AS dur_ns
FROM temp.collective_place p CROSS JOIN comm_op o ON o.id = p.id WHERE p.device_id = :_device AND p.step_group IS :_group
