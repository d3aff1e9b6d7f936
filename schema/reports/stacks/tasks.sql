-- @family svp ascend910 prof ascend2022
-- @file stacks
-- @process Device {pid}
-- @thread Stream {tid}
-- @recorded pid, tid, start_ns + dur_ns DESC, start_ns
-- @each
SELECT 1 WHERE EXISTS (SELECT 1 FROM tasks WHERE start_ns IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM source WHERE target IN ('api_call', 'api', 'runtime_api') AND records > 0)
-- @rows
SELECT device_id AS pid, stream_id AS tid, name, start_ns, dur_ns FROM tasks WHERE 1{range device start_ns; start_ns + dur_ns}
