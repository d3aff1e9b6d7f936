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

-- What was seen while records were joined: whether calls are in another order than finish.sql has, the sums over their kinds, the kinds of tasks,
-- and how many runs have counters, and of how many these end before the run begins.
CREATE TEMP TABLE calls_unsorted(yes);
CREATE TEMP TABLE call_seen(level INTEGER, type INTEGER, thread_id INTEGER, count INTEGER, total_ns INTEGER, shortest_ns INTEGER, longest_ns INTEGER, squares REAL, first_ns INTEGER);
CREATE TEMP TABLE task_seen(device_type, node_type, op_name, op_type, unlaunched, unrun, contextual, copies, host_type);
CREATE TEMP TABLE counters_seen(found INTEGER, before INTEGER);

-- Tables of records whose files need not be in order: the column of the time by which their rows are put in order, and the columns that tell
-- rows of one time apart. Of other rows of one time nobody knows which was first, if the files are not in order; a note says so. Calls, which
-- follow each other by their starts, and texts whose lines belong together are not among them.
CREATE TEMP TABLE ambiguous(records TEXT, count INTEGER); -- records whose order is unknown: notes.sql tells of them
CREATE TEMP TABLE record_order(records TEXT PRIMARY KEY, time TEXT, apart TEXT);
INSERT INTO temp.record_order VALUES
  ('event', 'time_ns', 'level type thread_id request_id item_id'), ('node_attr_info', 'time_ns', 'thread_id'), ('memcpy_info', 'time_ns', 'thread_id'),
  ('hccl_op_info', 'time_ns', 'thread_id'), ('hccl_info', 'time_ns', 'thread_id plane_id context_id'), ('tensor_info', 'time_ns', 'thread_id op_name'),
  ('context_id_info', 'time_ns', 'thread_id op_name'), ('graph_id_map', 'time_ns', 'thread_id graph_id'), ('fusion_op_info', 'time_ns', 'thread_id fusion_name'),
  ('multi_thread', 'time_ns', 'thread_id'), ('static_op_mem', 'time_ns', 'thread_id operator graph_id'), ('task_memory_info', 'time_ns', 'thread_id operator address'),
  ('capture_stream_info', 'time_ns', 'device_id model_stream_id'), ('capture_op_info', 'time_ns', 'device_id stream_id task_id'),
  ('mc2_comm_info', 'time_ns', 'group_name'), ('msproftx', 'time_ns', 'thread_id segment mark_id'), ('host_operator', 'start_ns', 'thread_id'),
  ('ts_step', 'time_ns', 'model_id index_id stream_id task_id tag_id'), ('ts_memcpy', 'time_ns', 'stream_id task_id state'),
  ('ts_task_type', 'time_ns', 'stream_id task_id state'), ('ts_flip', 'time_ns', 'stream_id'), ('ts_block_num', 'time_ns', 'stream_id task_id'),
  ('fusion_log', 'time_ns', 'task_id fusion_type mission_id'), ('block_log', 'time_ns', 'end stream_id task_id core_type core_id block_id'),
  ('hwts_block', 'time_ns', 'type block_id stream_id task_id'), ('block_pmu', 'start_ns', 'stream_id task_id context_id core_type core_id block_id sub_block_id'),
  ('v6_pmu', 'start_ns', 'task_id core_type core_id block_id sub_block_id'),
  ('v6_block', 'start_ns', 'task_id core_type core_id block_id sub_block_id'), ('aicore_sample', 'time_ns', 'core'), ('aiv_sample', 'time_ns', 'core'),
  ('aicpu_node', 'start_ns', 'stream_id task_id thread_id'), ('data_queue', 'time_ns', 'action source queue_index'), ('aicpu_model', 'time_ns', 'model_id index_id tag_id'),
  ('aicpu_mi', 'start_us', 'node_tag'), ('comm_turn', 'begun_ns', 'stream_id task_id turn'), ('compute_turn', 'waiting_ns', 'stream_id task_id turn'),
  ('device_op_info', 'time_ns', 'stream_id task_id'), ('aicpu_flip', 'time_ns', 'stream_id'), ('device_end', 'time_ns', 'stream_id task_id'),
  ('device_step', 'time_ns', 'stream_id task_id'),
  ('stars_qos', 'time_ns', 'die_id'), ('sio', 'time_ns', 'die_id acc_id'), ('acc_pmu', 'time_ns', 'die_id acc_id'), ('chip_trans', 'time_ns', 'die_id event_id'),
  ('inter_soc', 'time_ns', 'die_id'), ('low_power', 'time_ns', 'die_id'), ('npu_mem', 'stamp_us', 'event'), ('npu_module_mem', 'time_ns', 'module_id'),
  ('qos', 'time_ns', ''), ('ub', 'stamp_us', 'port_id'), ('ddr', 'stamp_us', 'type controller master_id'), ('hbm', 'stamp_us', 'type hbm_id'),
  ('llc', 'stamp_us', 'event l3t_id'), ('pcie', 'stamp', 'pcie_device'), ('nic', 'stamp_ns', 'func_id'), ('roce', 'stamp_ns', 'func_id'), ('hccs', 'stamp_ns', ''),
  ('netdev_stats', 'stamp_ns', '');

-- Devices of which a log of starts and ends is not in the order of its times.
CREATE TEMP TABLE unordered_log(device_id INTEGER);
