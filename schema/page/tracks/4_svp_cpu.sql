-- Tasks of the AI CPU, by stream.
-- @process Device {device}
-- @thread AI CPU, stream {track}
-- @each
SELECT device_id AS device, 0 AS clock, net_id AS _net, stream_id AS _stream, first_row AS _first, last_row AS _last FROM temp.step_run
WHERE target = 'aicpu_task' ORDER BY device_id, first_row
-- @rows
SELECT rowid AS row, :_stream AS track, :_net AS k1, task_id AS k2, -1 AS k3, start_ns, dur_ns FROM aicpu_task WHERE rowid BETWEEN :_first AND :_last
