-- The records that are joined to tasks while they are read, and the columns that the rules of lib/join follow (docs/PROF-RULES.md).
-- The columns of a part stand in a fixed order; '-': the table has no such column, and all its values are NULL. of_device: the files
-- are those of a device, else of the host. Names of tables and columns stand here alone, not in C.
CREATE TEMP TABLE joined(part TEXT PRIMARY KEY, records TEXT, of_device INTEGER, columns TEXT);
INSERT INTO temp.joined VALUES
  ('runs', 'stars_log', 1, 'end task_type stream_id task_id plain time_ns'),
  ('sub-runs', 'ffts_log', 1, 'end subtask_type stream_id task_id - time_ns context_id'),
  ('launches', 'task_track', 0, 'device_id stream_id task_id batch_id task_type time_ns thread_id kernel_name'),
  ('operators', 'node_basic_info', 0, 'thread_id time_ns task_type op_name op_type'),
  ('counters', 'pmu', 1, 'stream_id task_id context_id task_type ffts_type subtask_type start_ns dur_ns'),
  ('calls', 'api', 0, 'level type thread_id start_ns dur_ns');
