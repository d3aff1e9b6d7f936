-- Tables of jobs of the Ascend 910 generation.

-- The records of the log of the scheduler.
CREATE TABLE hwts_event(
  type INTEGER,                -- 0 task start, 1 task end, 2 block start, 3 block end, 4 block counters
  overflow INTEGER, sequence INTEGER, -- bits of the record, and its running number
  core INTEGER, block INTEGER, -- where the task or block ran
  task_id INTEGER, counter INTEGER, stream_id INTEGER, time_ns INTEGER
);

-- Tasks: pairs of starts and ends. An end closes the latest open start of its stream and task.
CREATE TABLE hwts_task(
  device_id INTEGER, stream_id INTEGER, task_id INTEGER,
  core INTEGER,                -- where it ran
  start_ns INTEGER, dur_ns INTEGER,
  hwts_op_id INTEGER           -- the row of hwts_op; NULL without a description
);

-- What the framework says of tasks: the records of the files.
CREATE TABLE task_desc(op_name TEXT, block_dim INTEGER, task_id INTEGER, stream_id INTEGER);

-- What the framework says of operators: the records of the files.
CREATE TABLE graph_desc(op_name TEXT, op_type TEXT, tensors TEXT);

-- The operators at points of training steps: the records of the files.
CREATE TABLE trace_point(point INTEGER, op_name TEXT);

-- The description of a task from task_desc. The first of several descriptions counts.
CREATE TABLE hwts_op(
  id INTEGER PRIMARY KEY,      -- hwts_task names it hwts_op_id
  device_id INTEGER,
  stream_id INTEGER,           -- NULL when the task id alone is unique (25000 and above)
  task_id INTEGER,
  name TEXT,                   -- of the operator
  type TEXT,                   -- of the operator, from graph_desc of the same device
  block_dim INTEGER            -- blocks of the operator
);
CREATE UNIQUE INDEX hwts_op_by_task ON hwts_op(device_id, task_id, stream_id);

-- Points of training steps.
CREATE TABLE step_trace(type INTEGER, task_id INTEGER, stream_id INTEGER, counter INTEGER, time_ns INTEGER);

-- Messages of the AI CPU. The columns are named after the words of the messages; each message has only some.
CREATE TABLE aicpu_events(
  thread INTEGER, device INTEGER, aicpu INTEGER, drv_top_tick INTEGER, drv_bottom_tick INTEGER,
  run_begin_tick INTEGER, run_end_tick INTEGER, dispatch_us INTEGER, total_us INTEGER,
  stamp INTEGER, node TEXT, run_start INTEGER, compute_start INTEGER, memcpy_start INTEGER, memcpy_end INTEGER,
  run_end INTEGER
);

-- Messages of data queues. The columns are named after the words of the messages; each message has only some.
CREATE TABLE queue_events(stamp INTEGER, action TEXT, source TEXT, queue_index INTEGER, queue_size INTEGER);

INSERT INTO record_table VALUES
  ('hwts_event'), ('task_desc'), ('graph_desc'), ('trace_point'), ('step_trace'), ('aicpu_events'), ('queue_events');
