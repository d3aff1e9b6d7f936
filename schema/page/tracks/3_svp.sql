-- Tasks of the core, by stream.
-- @family svp
-- @style any
-- @form device
-- @process Device {device}
-- @thread Stream {track}
-- @each
SELECT device_id AS device, 0 AS clock, max(net_id) AS _net, min(first_row) AS _first, max(last_row) AS _last FROM temp.step_file
WHERE target = 'aicore_task' GROUP BY device_id, model, model_id ORDER BY device_id, 3
-- @rows
SELECT rowid AS row, stream_id AS track, :_net AS k1, task_id AS k2, stream_id AS k3, start_ns, dur_ns FROM aicore_task WHERE rowid BETWEEN :_first AND :_last
