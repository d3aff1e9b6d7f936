-- What torch_npu recorded, in temporary tables: records as they lie in the files of FRAMEWORK, the settings, and what was lost. Texts of INTEGER
-- columns are numbers of framework_text: 0 is an empty text, and those of a column ascend by their first record; equal texts of a column have one number.
CREATE TEMP TABLE framework_text(id INTEGER PRIMARY KEY, owner TEXT, member TEXT, text TEXT);
INSERT INTO temp.framework_text VALUES(0, NULL, NULL, '');
CREATE TEMP TABLE torch_op(start_count INTEGER, end_count INTEGER, sequence INTEGER, pid INTEGER, thread_id INTEGER, forward_thread INTEGER,
  name INTEGER, types INTEGER, shapes INTEGER, stack INTEGER, modules TEXT, flops TEXT);
CREATE TEMP TABLE op_mark(count INTEGER, category INTEGER, correlation_id INTEGER, thread_id INTEGER, pid INTEGER, name INTEGER);
CREATE TEMP TABLE memory_use(pointer INTEGER, count INTEGER, size INTEGER, allocated INTEGER, reserved INTEGER, active INTEGER, stream INTEGER,
  device_type INTEGER, device_index INTEGER, component INTEGER, kind INTEGER, allocator INTEGER, thread_id INTEGER, pid INTEGER);
CREATE TEMP TABLE garbage(pid INTEGER, start_count INTEGER, end_count INTEGER);
CREATE TEMP TABLE python_call(count INTEGER, thread_id INTEGER, pid INTEGER, function INTEGER, tag INTEGER);
CREATE TEMP TABLE python_name(function INTEGER, name TEXT);
CREATE TEMP TABLE parameter_list(function INTEGER, modules TEXT, optimizers TEXT);
CREATE TEMP TABLE framework_file(name TEXT, layout TEXT);
CREATE TEMP TABLE framework_setting(name TEXT, text TEXT);
CREATE TEMP TABLE framework_loss(name TEXT, text TEXT);
