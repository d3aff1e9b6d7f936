-- Tables of jobs of the Ascend 910 generation.

CREATE TABLE hwts_event(
  type INTEGER, overflow INTEGER, sequence INTEGER, core INTEGER, block INTEGER, task_id INTEGER, counter INTEGER,
  stream_id INTEGER, time_ns INTEGER
);

CREATE TABLE hwts_task(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER, core INTEGER, start_ns INTEGER, dur_ns INTEGER,
  hwts_op_id INTEGER
);

CREATE TABLE task_desc(op_name TEXT, block_dim INTEGER, task_id INTEGER, stream_id INTEGER);
CREATE TABLE graph_desc(op_name TEXT, op_type TEXT, tensors TEXT);
CREATE TABLE trace_point(point INTEGER, op_name TEXT);

-- The description of a task from task_desc; stream_id is NULL when the task id alone is unique.
CREATE TABLE hwts_op(
  id INTEGER PRIMARY KEY, device_id INTEGER, stream_id INTEGER, task_id INTEGER, name TEXT, type TEXT,
  block_dim INTEGER
);
CREATE UNIQUE INDEX hwts_op_by_task ON hwts_op(device_id, task_id, stream_id);

CREATE TABLE step_trace(type INTEGER, task_id INTEGER, stream_id INTEGER, counter INTEGER, time_ns INTEGER);

CREATE TABLE aicpu_events(
  thread INTEGER, device INTEGER, aicpu INTEGER, drv_top_tick INTEGER, drv_bottom_tick INTEGER,
  run_begin_tick INTEGER, run_end_tick INTEGER, dispatch_us INTEGER, total_us INTEGER,
  stamp INTEGER, node TEXT, run_start INTEGER, compute_start INTEGER, memcpy_start INTEGER, memcpy_end INTEGER,
  run_end INTEGER
);

CREATE TABLE queue_events(stamp INTEGER, action TEXT, source TEXT, queue_index INTEGER, queue_size INTEGER);

INSERT INTO record_table VALUES
  ('hwts_event'), ('task_desc'), ('graph_desc'), ('trace_point'), ('step_trace'), ('aicpu_events'), ('queue_events');
