-- Runs after the tasks are joined: what rarer records say of them. docs/PROF-RULES.md tells the rules.

DROP TABLE temp.joined_task;
DROP TABLE temp.outer;
DROP TABLE temp.host_rule;
DROP TABLE temp.kernel_kind;
DROP TABLE temp.node_item;
DROP TABLE IF EXISTS temp.batch;
DROP TABLE temp.frequency;

-- Runs without a launch of their own, with the task whose launch they bear.
CREATE TEMP TABLE again(
  id INTEGER PRIMARY KEY, device_id INTEGER, stream_id INTEGER, task_id INTEGER, batch_id INTEGER, context_id INTEGER, launched INTEGER);
-- Tasks launched by threads that work for the call of a node.
CREATE TEMP TABLE helped(id INTEGER PRIMARY KEY, connection_id INTEGER NOT NULL);
-- Tasks whose blocks, counters or operators are others by now.
CREATE TEMP TABLE changed(id INTEGER PRIMARY KEY);

INSERT OR IGNORE INTO setting(device_id, chip, llc, hbm_events, qos_events, l2_events, tlb_events, ahead_ns)
SELECT d.device_id, CAST(json_extract(i.text, '$.platform_version') AS INTEGER), json_extract(s.text, '$.llc_profiling'),
  json_extract(s.text, '$.hbm_profiling_events'), nullif(json_extract(s.text, '$.qosEvents'), ''),
  json_extract(s.text, '$.l2CacheTaskProfilingEvents'),
  (SELECT substr(e.value, instr(e.value, ':') + 1) FROM json_each('[' || replace(json_quote(json_extract(s.text, '$.npuEvents')), ';', '","') || ']') e
    WHERE upper(trim(substr(e.value, 1, instr(e.value, ':') - 1))) = 'SMMU' LIMIT 1),
  d.host_monotonic_ns - (SELECT CAST(substr(text, instr(text, 'clock_monotonic_raw:') + 20) AS INTEGER) FROM control k
    WHERE k.device_id = d.device_id AND k.name = 'dev_start.log' AND instr(text, 'clock_monotonic_raw:'))
FROM device d LEFT JOIN control i ON i.name = 'info.json' AND i.device_id = d.device_id LEFT JOIN control s ON s.name = 'sample.json' AND s.device_id = d.device_id;

-- Chips 1 to 4 give this number another meaning.
-- @when EXISTS (SELECT 1 FROM source WHERE layout = 'prof.hwts' AND records > 0)
UPDATE task_kind SET name = 'SDMA_SQE' WHERE kind = 9;
-- @end

-- Chips of version 6 give many another.
-- @when EXISTS (SELECT 1 FROM setting WHERE chip IN (15, 16))
INSERT OR REPLACE INTO task_kind VALUES
  (1, 'AIV_SQE'), (2, 'FUSION'), (3, 'PLACE_HOLDER'), (4, 'AICPU_H'), (5, 'AICPU_D'), (6, 'NOTIFY_RECORD'), (7, 'NOTIFY_WAIT'),
  (8, 'WRITE_VALUE'), (9, 'UBDMA'), (10, 'ASYNCDMA'), (11, 'SDMA'), (12, 'VPC'), (13, 'JPEGE'), (14, 'JPEGD'), (15, 'CMO'), (16, 'CCU'), (20, 'CONDITION'), (21, 'END');
-- @end

-- Their counters are those of blocks: added up over the blocks that began during a run.
-- @when EXISTS (SELECT 1 FROM v6_pmu)
CREATE VIRTUAL TABLE temp.run USING intervals(
  SELECT device_id << 32 | task_id, start_ns, start_ns + dur_ns, id FROM task WHERE start_ns IS NOT NULL ORDER BY id);
CREATE TEMP TABLE block AS
SELECT r.value AS id, v.core_type, v.total_cycles, pmu0, pmu1, pmu2, pmu3, pmu4, pmu5, pmu6, pmu7, pmu8, pmu9
FROM source s CROSS JOIN v6_pmu v CROSS JOIN temp.run r
ON r.key = (s.device_id << 32 | v.task_id) AND r.at = v.start_ns
WHERE s.target = 'v6_pmu' AND v.rowid BETWEEN s.first_row AND s.last_row;
UPDATE task SET aic_cycles = b.total_cycles, aic_pmu0 = b.pmu0, aic_pmu1 = b.pmu1, aic_pmu2 = b.pmu2, aic_pmu3 = b.pmu3,
  aic_pmu4 = b.pmu4, aic_pmu5 = b.pmu5, aic_pmu6 = b.pmu6, aic_pmu7 = b.pmu7, aic_pmu8 = b.pmu8, aic_pmu9 = b.pmu9
FROM (SELECT id, total_int(total_cycles) AS total_cycles, total_int(pmu0) AS pmu0, total_int(pmu1) AS pmu1, total_int(pmu2) AS pmu2,
    total_int(pmu3) AS pmu3, total_int(pmu4) AS pmu4, total_int(pmu5) AS pmu5, total_int(pmu6) AS pmu6,
    total_int(pmu7) AS pmu7, total_int(pmu8) AS pmu8, total_int(pmu9) AS pmu9
  FROM temp.block WHERE core_type = 0 GROUP BY id) b
WHERE task.id = b.id AND task.aic_cycles IS NULL;
UPDATE task SET aiv_cycles = b.total_cycles, aiv_pmu0 = b.pmu0, aiv_pmu1 = b.pmu1, aiv_pmu2 = b.pmu2, aiv_pmu3 = b.pmu3,
  aiv_pmu4 = b.pmu4, aiv_pmu5 = b.pmu5, aiv_pmu6 = b.pmu6, aiv_pmu7 = b.pmu7, aiv_pmu8 = b.pmu8, aiv_pmu9 = b.pmu9
FROM (SELECT id, total_int(total_cycles) AS total_cycles, total_int(pmu0) AS pmu0, total_int(pmu1) AS pmu1, total_int(pmu2) AS pmu2,
    total_int(pmu3) AS pmu3, total_int(pmu4) AS pmu4, total_int(pmu5) AS pmu5, total_int(pmu6) AS pmu6,
    total_int(pmu7) AS pmu7, total_int(pmu8) AS pmu8, total_int(pmu9) AS pmu9
  FROM temp.block WHERE core_type = 1 GROUP BY id) b
WHERE task.id = b.id AND task.aiv_cycles IS NULL;
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.block;
DROP TABLE temp.run;
DROP TABLE temp.block;
-- @end

-- The counters of the vector cores of chips 1 to 4: the n-th record of a task goes with its n-th run.
-- @when EXISTS (SELECT 1 FROM aiv_pmu)
CREATE TEMP TABLE vector AS
SELECT s.device_id, a.*, row_number() OVER (PARTITION BY s.device_id, a.stream_id, a.task_id ORDER BY a.rowid) AS n
FROM source s CROSS JOIN aiv_pmu a WHERE s.target = 'aiv_pmu' AND a.rowid BETWEEN s.first_row AND s.last_row;
CREATE UNIQUE INDEX temp.vector_by_run ON vector(device_id, stream_id, task_id, n);
UPDATE task SET aiv_cycles = a.total_cycles, aiv_pmu0 = a.pmu0, aiv_pmu1 = a.pmu1, aiv_pmu2 = a.pmu2, aiv_pmu3 = a.pmu3,
  aiv_pmu4 = a.pmu4, aiv_pmu5 = a.pmu5, aiv_pmu6 = a.pmu6, aiv_pmu7 = a.pmu7
FROM (
  SELECT r.id, v.*
  FROM (SELECT id, device_id, stream_id, task_id, row_number() OVER (PARTITION BY device_id, stream_id, task_id ORDER BY id) AS n
    FROM task WHERE start_ns IS NOT NULL) r
  CROSS JOIN temp.vector v ON v.device_id = r.device_id AND v.stream_id = r.stream_id AND v.task_id = r.task_id AND v.n = r.n) a
WHERE task.id = a.id;
INSERT OR IGNORE INTO temp.changed SELECT id FROM task WHERE aiv_us IS NULL AND aiv_cycles IS NOT NULL;
DROP TABLE temp.vector;
-- @end

-- @when EXISTS (SELECT 1 FROM temp.task_seen WHERE unlaunched)
INSERT INTO temp.again
SELECT id, device_id, stream_id, task_id, batch_id, context_id, NULL FROM task WHERE start_ns IS NOT NULL AND launch_ns IS NULL;
-- @end

-- Flips of the host (its FLIP_TASK records) and of the device.
CREATE VIRTUAL TABLE temp.flip USING flip_batches(
  SELECT 1 AS host, device_id, stream_id, time_ns, batch_id = 65535 AS ends, task_id
  FROM task_track WHERE task_type IN (SELECT hash FROM name WHERE name = 'FLIP_TASK')
  UNION ALL
  SELECT 0, s.device_id, f.stream_id, f.time_ns, f.flip_num = 65535, f.task_id
  FROM source s CROSS JOIN ts_flip f WHERE s.target = 'ts_flip' AND f.rowid BETWEEN s.first_row AND s.last_row);
-- @when EXISTS (SELECT 1 FROM temp.flip)
CREATE VIRTUAL TABLE temp.late USING late_launches(
  (SELECT host, device_id, stream_id, batch_id, task_id, time_ns FROM temp.flip),
  (SELECT id, device_id, stream_id, task_id, batch_id, launch_ns FROM task WHERE start_ns IS NULL ORDER BY id),
  (SELECT id, device_id, stream_id, task_id, batch_id FROM temp.again WHERE context_id = 4294967295 ORDER BY id));
UPDATE temp.again SET launched = l.launched, batch_id = l.batch_id FROM temp.late l WHERE again.id = l.id;
UPDATE task SET batch_id = l.batch_id FROM temp.late l WHERE task.id = l.id;
DROP TABLE temp.late;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.flip WHERE task_id > 0 AND NOT host)
CREATE VIRTUAL TABLE temp.raced USING raced_runs(
  (SELECT host, device_id, stream_id, batch_id, task_id, time_ns FROM temp.flip WHERE NOT host),
  (SELECT id, device_id, stream_id, batch_id, task_id FROM task WHERE start_ns IS NOT NULL ORDER BY id));
UPDATE task SET batch_id = batch_id + 1 WHERE id IN (SELECT id FROM temp.raced);
DROP TABLE temp.raced;
-- @end
DROP TABLE temp.flip;

-- Further runs of a task that was launched once, and sub-tasks.
-- @when EXISTS (SELECT 1 FROM temp.again)
CREATE VIRTUAL TABLE temp.repeat USING repeated_runs(
  (SELECT id, device_id, stream_id, task_id, batch_id FROM task WHERE launch_ns IS NOT NULL),
  (SELECT id, device_id, stream_id, task_id, batch_id FROM temp.again WHERE launched IS NULL));
UPDATE temp.again SET launched = r.launched FROM temp.repeat r WHERE again.id = r.id;
DROP TABLE temp.repeat;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.again WHERE context_id <> 4294967295)
CREATE VIRTUAL TABLE temp.whole USING whole_runs(
  SELECT id, device_id, stream_id, task_id, context_id <> 4294967295 FROM task
  WHERE start_ns IS NOT NULL AND (launch_ns IS NOT NULL OR context_id <> 4294967295) ORDER BY id);
UPDATE temp.again SET launched = w.launched FROM temp.whole w WHERE again.id = w.id;
DROP TABLE temp.whole;
-- @end

-- Sub-tasks are of the launch if the host named their context in its call, of one context or, for communication, from one to another; of
-- a kernel for both cores without a node context 0 is the kernel. Of the records of contexts of a call the last one counts, and of its
-- records of nodes the last one; if that node is a graph of FFTS+ (6), no node counts.
CREATE TEMP TABLE context(connection_id INTEGER, of_node INTEGER, first_id INTEGER, last_id INTEGER, op_name INTEGER, counts INTEGER,
  PRIMARY KEY(connection_id, first_id, last_id)) WITHOUT ROWID;
CREATE TEMP TABLE last_context(connection_id INTEGER PRIMARY KEY, time_ns INTEGER, row INTEGER);
CREATE TEMP TABLE last_node(connection_id INTEGER PRIMARY KEY, time_ns INTEGER, op_name INTEGER, node_type INTEGER);
CREATE TEMP TABLE by_context AS SELECT kind AS host_type, by_context, contexts FROM host_kind JOIN host_word USING (name) WHERE contexts;
-- @when EXISTS (SELECT 1 FROM context_id_info)
INSERT INTO temp.last_context
SELECT n.value, c.time_ns, c.rowid
FROM context_id_info c CROSS JOIN temp.node n ON n.key = c.thread_id AND n.at = c.time_ns WHERE c.level = 10000 ORDER BY c.rowid
ON CONFLICT DO UPDATE SET time_ns = excluded.time_ns, row = excluded.row WHERE excluded.time_ns >= last_context.time_ns;
INSERT INTO temp.last_node
SELECT n.value, b.time_ns, b.op_name, b.task_type
FROM node_basic_info b CROSS JOIN temp.node n ON n.key = b.thread_id AND n.at = b.time_ns
WHERE n.value IN (SELECT connection_id FROM temp.last_context) ORDER BY b.rowid
ON CONFLICT DO UPDATE SET time_ns = excluded.time_ns, op_name = excluded.op_name, node_type = excluded.node_type WHERE excluded.time_ns >= last_node.time_ns;
INSERT INTO temp.context
SELECT l.connection_id, 1, number_at(c.contexts, 4 * e.value, 4), number_at(c.contexts, 4 * e.value, 4), c.op_name,
  c.rowid = l.row AND NOT EXISTS (SELECT 1 FROM temp.last_node b WHERE b.connection_id = l.connection_id AND b.node_type = 6)
FROM context_id_info c CROSS JOIN temp.node n ON n.key = c.thread_id AND n.at = c.time_ns CROSS JOIN temp.last_context l ON l.connection_id = n.value
CROSS JOIN numbers(min(c.context_num, 55)) e
WHERE c.level = 10000 ORDER BY c.rowid, e.value
ON CONFLICT DO UPDATE SET counts = 1 WHERE excluded.counts;
INSERT OR IGNORE INTO temp.context
SELECT n.value, 0, number_at(c.contexts, 0, 4), number_at(c.contexts, 4, 4), NULL, 1
FROM context_id_info c CROSS JOIN temp.node n ON n.key = c.thread_id AND n.at = c.time_ns WHERE c.level = 5500 AND c.context_num = 2;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.again WHERE context_id <> 4294967295)
CREATE INDEX temp.again_by_task ON again(device_id, stream_id, task_id, batch_id);
UPDATE task SET has_parts = 1 WHERE context_id = 4294967295 AND start_ns IS NOT NULL AND EXISTS (
  SELECT 1 FROM temp.again a WHERE a.device_id = task.device_id AND a.stream_id = task.stream_id AND a.task_id = task.task_id AND a.batch_id = task.batch_id
    AND a.context_id <> 4294967295);
INSERT INTO named_part(id, connection_id, op_name)
SELECT a.id, t.connection_id, c.op_name
FROM temp.again a CROSS JOIN task t ON t.id = a.launched CROSS JOIN temp.context c ON c.connection_id = t.connection_id AND c.first_id = a.context_id
WHERE c.of_node AND NOT c.counts AND t.host_type IN (SELECT host_type FROM temp.by_context);
UPDATE temp.again SET launched = NULL WHERE context_id <> 4294967295 AND id NOT IN (
  SELECT a.id FROM temp.again a CROSS JOIN task t ON t.id = a.launched
  WHERE EXISTS (SELECT 1 FROM temp.context c WHERE c.connection_id = t.connection_id AND a.context_id BETWEEN c.first_id AND c.last_id AND c.counts)
    OR a.context_id = 0 AND t.is_op AND t.op_name IS t.kernel_name
      AND (t.op_type IS t.kernel_name OR t.op_type IS NULL AND NOT EXISTS (SELECT 1 FROM temp.node n WHERE n.key = t.thread_id AND n.at = t.launch_ns))
      AND t.host_type IN (SELECT host_type FROM temp.by_context WHERE by_context));
-- @end
-- Runs of a task with the same numbers are one task of the host.
-- @when EXISTS (SELECT 1 FROM temp.again)
UPDATE task SET key_id = k.first
FROM (SELECT a.id, coalesce(t.id, min(a.id) OVER (PARTITION BY a.device_id, a.stream_id, a.task_id, a.batch_id, a.context_id)) AS first
  FROM temp.again a LEFT JOIN task t ON t.id = a.launched AND t.start_ns IS NOT NULL AND a.context_id = 4294967295) k
WHERE task.id = k.id AND k.first <> k.id;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.again WHERE launched IS NOT NULL)
UPDATE task SET is_op = l.is_op, thread_id = l.thread_id, launch_ns = l.launch_ns, connection_id = l.connection_id, host_type = l.host_type,
  kernel_name = l.kernel_name, op_name = l.op_name, op_type = l.op_type, node_type = l.node_type, block_num = l.block_num,
  mix_num = l.mix_num, op_flag = l.op_flag, op_state = l.op_state, tensor_id = l.tensor_id
FROM (SELECT a.id AS again, t.* FROM temp.again a CROSS JOIN task t WHERE t.id = a.launched) l WHERE task.id = l.again;
-- what waited for such a run did run
DELETE FROM task WHERE start_ns IS NULL AND id IN (SELECT launched FROM temp.again);
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.again WHERE launched IS NOT NULL;
-- @end

-- Threads that work for the call of a node are in it for its time.
CREATE VIRTUAL TABLE temp.helper USING intervals(
  SELECT number_at(m.threads, 4 * e.value, 4), c.start_ns, c.start_ns + c.dur_ns, c.connection_id
  FROM multi_thread m CROSS JOIN temp.node n ON n.key = m.thread_id AND n.at = m.time_ns CROSS JOIN api c ON c.connection_id = n.value
  CROSS JOIN numbers(min(m.thread_num, 25)) e ORDER BY c.start_ns, m.rowid, e.value);
-- @when EXISTS (SELECT 1 FROM multi_thread)
INSERT INTO temp.helped
SELECT t.id, h.value FROM task t CROSS JOIN temp.helper h ON h.key = t.thread_id AND h.at = t.launch_ns
WHERE coalesce((SELECT level FROM api a WHERE a.connection_id = t.connection_id), 0) <> 10000;
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.helped;
-- @end

-- What is said of the nodes of calls: the first row of a call, or of a call and a name, counts.
CREATE TEMP TABLE operator(connection_id INTEGER, op_name INTEGER, op_type INTEGER, node_type INTEGER, block_num INTEGER, mix_num INTEGER,
  op_flag INTEGER, op_state INTEGER, tensor_id INTEGER);
-- @when EXISTS (SELECT 1 FROM temp.helped) OR EXISTS (SELECT 1 FROM context_id_info)
INSERT INTO temp.operator
SELECT connection_id, op_name, op_type, node_type, block_num, mix_num, op_flag, op_state, tensor_id
FROM task WHERE connection_id IS NOT NULL AND op_name IS NOT NULL ORDER BY id;
INSERT INTO temp.operator
SELECT coalesce(n.value, h.value), b.op_name, b.op_type, b.task_type, b.block_num, b.block_num * b.mix_num, b.op_flag, b.aging IS NOT NULL, x.value
FROM node_basic_info b LEFT JOIN temp.node n ON n.key = b.thread_id AND n.at = b.time_ns
LEFT JOIN temp.helper h ON h.key = b.thread_id AND h.at = b.time_ns
LEFT JOIN temp.tensor_of_op x ON x.connection_id = coalesce(n.value, h.value) AND x.op_name = b.op_name
WHERE coalesce(n.value, h.value) IS NOT NULL ORDER BY b.rowid;
CREATE INDEX temp.operator_by_call ON operator(connection_id, op_name);
-- @end
-- @when EXISTS (SELECT 1 FROM temp.helped)
UPDATE task SET connection_id = h.connection_id FROM temp.helped h WHERE task.id = h.id;
UPDATE task SET is_op = iif(n.in_node, 1, NULL), op_name = n.op_name, op_type = n.op_type, node_type = n.node_type, block_num = coalesce(task.block_num, n.block_num),
  mix_num = coalesce(task.mix_num, n.mix_num), op_flag = n.op_flag, op_state = n.op_state, tensor_id = n.tensor_id
FROM (SELECT h.id, o.*, EXISTS (SELECT 1 FROM host_kind k LEFT JOIN host_word w USING (name) WHERE k.kind = t.host_type AND coalesce(w.in_node, k.name GLOB 'KERNEL*')) AS in_node
  FROM temp.helped h CROSS JOIN task t ON t.id = h.id CROSS JOIN temp.operator o
  WHERE o.rowid = (SELECT min(f.rowid) FROM temp.operator f WHERE f.connection_id = h.connection_id)) n WHERE task.id = n.id;
-- @end

-- A node may be of several contexts: sub-tasks bear its name, at level 0 that of the call.
-- @when EXISTS (SELECT 1 FROM context_id_info)
CREATE TEMP TABLE part AS
SELECT t.id, coalesce(b.op_name, c.op_name) AS op_name,
  (SELECT min(o.rowid) FROM temp.operator o WHERE o.connection_id = t.connection_id
    AND ((SELECT value FROM meta WHERE key = 'level0') OR o.op_name = coalesce(b.op_name, c.op_name))) AS row
FROM task t CROSS JOIN temp.context c ON c.connection_id = t.connection_id AND c.of_node AND c.first_id = t.context_id
LEFT JOIN temp.last_node b ON b.connection_id = t.connection_id
WHERE t.start_ns IS NOT NULL AND t.context_id <> 4294967295 AND t.host_type IN (SELECT host_type FROM temp.by_context);
UPDATE task SET is_op = iif(n.op_name IS NULL, NULL, 1), op_name = coalesce(n.op_name, n.name), op_type = n.op_type, node_type = n.node_type, block_num = n.block_num, mix_num = n.mix_num,
  op_flag = n.op_flag, op_state = n.op_state, tensor_id = n.tensor_id
FROM (SELECT p.id, p.op_name AS name, o.* FROM temp.part p LEFT JOIN temp.operator o ON o.rowid = p.row) n WHERE task.id = n.id;
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.part;
-- the task around them is no operator
INSERT OR IGNORE INTO temp.changed
SELECT id FROM task WHERE is_op AND context_id = 4294967295 AND connection_id IN (SELECT connection_id FROM temp.context WHERE of_node)
  AND host_type IN (SELECT host_type FROM temp.by_context);
UPDATE task SET is_op = NULL WHERE is_op AND context_id = 4294967295 AND connection_id IN (SELECT connection_id FROM temp.context WHERE of_node)
  AND host_type IN (SELECT host_type FROM temp.by_context);
UPDATE named_part SET op_type = n.op_type, node_type = n.node_type, tensor_id = n.tensor_id
FROM (SELECT p.id, o.op_type, o.node_type, o.tensor_id FROM named_part p CROSS JOIN temp.operator o ON o.rowid = (
  SELECT min(f.rowid) FROM temp.operator f WHERE f.connection_id = p.connection_id AND f.op_name = p.op_name)) n WHERE named_part.id = n.id;
DROP TABLE temp.part;
-- @end
-- The launch of a kernel for both cores without a node is that of its context 0 alone. At level 0 nobody says a type.
-- @when EXISTS (SELECT 1 FROM temp.task_seen WHERE contextual)
CREATE TEMP TABLE around AS
SELECT * FROM task t WHERE is_op AND context_id = 4294967295 AND op_name IS kernel_name
  AND (op_type IS kernel_name OR op_type IS NULL AND NOT EXISTS (SELECT 1 FROM temp.node n WHERE n.key = t.thread_id AND n.at = t.launch_ns))
  AND host_type IN (SELECT host_type FROM temp.by_context WHERE by_context);
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.around;
INSERT INTO task(device_id, stream_id, task_id, batch_id, context_id, thread_id, launch_ns, connection_id, model_id, is_op, host_type, kernel_name, op_name,
  op_type, node_type, block_num, mix_num)
SELECT device_id, stream_id, task_id, batch_id, 0, thread_id, launch_ns, connection_id, model_id, 1, host_type, kernel_name, op_name, op_type, node_type, block_num,
  mix_num
FROM temp.around a WHERE start_ns IS NOT NULL AND NOT EXISTS (SELECT 1 FROM temp.again b WHERE b.launched = a.id AND b.context_id = 0);
UPDATE task SET context_id = 0 WHERE id IN (SELECT id FROM temp.around WHERE start_ns IS NULL);
UPDATE task SET thread_id = NULL, launch_ns = NULL, connection_id = NULL, is_op = NULL, host_type = NULL, kernel_name = NULL, op_name = NULL, op_type = NULL,
  node_type = NULL, block_num = NULL, mix_num = NULL
WHERE id IN (SELECT id FROM temp.around WHERE start_ns IS NOT NULL);
DROP TABLE temp.around;
-- @end
DROP TABLE temp.context;
DROP TABLE temp.last_context;
DROP TABLE temp.last_node;
DROP TABLE temp.by_context;

-- Counters of blocks: those of the other kind of cores of a MIX task, at most as many as it has blocks of both kinds.
CREATE TEMP TABLE mixed(id INTEGER PRIMARY KEY, core_type INTEGER);
-- @when EXISTS (SELECT 1 FROM block_pmu) AND EXISTS (SELECT 1 FROM setting WHERE chip NOT IN (15, 16))
CREATE VIRTUAL TABLE temp.run USING intervals(
  SELECT (device_id << 48) + (stream_id << 32) + (task_id << 16) + (context_id & 65535), start_ns, start_ns + dur_ns, id FROM task WHERE start_ns IS NOT NULL AND mix_num > 0 ORDER BY id);
CREATE TEMP TABLE block AS
SELECT id, core_type, total_cycles, pmu0, pmu1, pmu2, pmu3, pmu4, pmu5, pmu6, pmu7 FROM (
  SELECT t.id, b.*, t.mix_num, row_number() OVER (PARTITION BY t.id ORDER BY b.rowid) AS n
  FROM source s CROSS JOIN block_pmu b CROSS JOIN temp.run r ON r.key = (s.device_id << 48) + (b.stream_id << 32) + (b.task_id << 16) + b.context_id AND r.at = b.start_ns
  CROSS JOIN task t ON t.id = r.value
  WHERE s.target = 'block_pmu' AND b.rowid BETWEEN s.first_row AND s.last_row AND b.ffts_type = 4
    AND (b.subtask_type = 6 AND b.core_type = 1 AND t.aic_cycles IS NOT NULL AND t.aiv_cycles IS NULL
      OR b.subtask_type = 7 AND b.core_type = 0 AND t.aiv_cycles IS NOT NULL AND t.aic_cycles IS NULL))
WHERE n <= mix_num;
UPDATE task SET aic_cycles = b.total_cycles, aic_pmu0 = b.pmu0, aic_pmu1 = b.pmu1, aic_pmu2 = b.pmu2, aic_pmu3 = b.pmu3, aic_pmu4 = b.pmu4, aic_pmu5 = b.pmu5,
  aic_pmu6 = b.pmu6, aic_pmu7 = b.pmu7
FROM (SELECT id, total_int(total_cycles) AS total_cycles, total_int(pmu0) AS pmu0, total_int(pmu1) AS pmu1, total_int(pmu2) AS pmu2, total_int(pmu3) AS pmu3,
    total_int(pmu4) AS pmu4, total_int(pmu5) AS pmu5, total_int(pmu6) AS pmu6, total_int(pmu7) AS pmu7 FROM temp.block WHERE core_type = 0 GROUP BY id) b
WHERE task.id = b.id;
UPDATE task SET aiv_cycles = b.total_cycles, aiv_pmu0 = b.pmu0, aiv_pmu1 = b.pmu1, aiv_pmu2 = b.pmu2, aiv_pmu3 = b.pmu3, aiv_pmu4 = b.pmu4, aiv_pmu5 = b.pmu5,
  aiv_pmu6 = b.pmu6, aiv_pmu7 = b.pmu7
FROM (SELECT id, total_int(total_cycles) AS total_cycles, total_int(pmu0) AS pmu0, total_int(pmu1) AS pmu1, total_int(pmu2) AS pmu2, total_int(pmu3) AS pmu3,
    total_int(pmu4) AS pmu4, total_int(pmu5) AS pmu5, total_int(pmu6) AS pmu6, total_int(pmu7) AS pmu7 FROM temp.block WHERE core_type = 1 GROUP BY id) b
WHERE task.id = b.id;
INSERT INTO temp.mixed SELECT DISTINCT id, core_type FROM temp.block;
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.block;
DROP TABLE temp.run;
DROP TABLE temp.block;
-- @end
DROP TABLE temp.operator;
DROP TABLE temp.tensor_of_op;

-- The attributes of nodes: the first of a call counts.
-- @when EXISTS (SELECT 1 FROM node_attr_info)
INSERT OR IGNORE INTO node_attr
SELECT coalesce(n.value, h.value), a.attr
FROM node_attr_info a LEFT JOIN temp.node n ON n.key = a.thread_id AND n.at = a.time_ns
LEFT JOIN temp.helper h ON h.key = a.thread_id AND h.at = a.time_ns
WHERE coalesce(n.value, h.value) IS NOT NULL ORDER BY a.rowid;
-- @end
DROP TABLE temp.helper;

-- The model of a task is that of the call of the model level, or of the pair of its events, in which it was launched.
CREATE TEMP TABLE model_call(thread_id INTEGER, start_ns INTEGER, end_ns INTEGER, item_id INTEGER);
-- @when EXISTS (SELECT 1 FROM call_kind WHERE id >> 32 = 15000)
INSERT INTO temp.model_call
SELECT thread_id, start_ns, start_ns + dur_ns, item_id FROM api WHERE level = 15000 ORDER BY connection_id;
-- @end
-- @when EXISTS (SELECT 1 FROM temp.model_call)
CREATE VIRTUAL TABLE temp.model USING intervals(
  SELECT thread_id, start_ns, end_ns, item_id FROM temp.model_call ORDER BY start_ns, end_ns DESC, rowid);
UPDATE task SET model_id = m.value FROM temp.model m WHERE m.key = task.thread_id AND m.at = task.launch_ns;
INSERT INTO fusion_model
SELECT f.rowid, m.value FROM fusion_op_info f CROSS JOIN temp.model m ON m.key = f.thread_id AND m.at = f.time_ns;
DROP TABLE temp.model;
-- @end
DROP TABLE temp.model_call;

-- The streams of a model that was captured are its own from then on.
-- @when EXISTS (SELECT 1 FROM capture_stream_info)
CREATE VIRTUAL TABLE temp.capture USING intervals(
  SELECT device_id << 16 | model_stream_id, time_ns, 9223372036854775807, model_id FROM capture_stream_info ORDER BY time_ns, rowid);
UPDATE task SET model_id = c.value FROM temp.capture c
WHERE c.key = (task.device_id << 16 | task.stream_id) AND c.at = coalesce(task.launch_ns, task.start_ns) AND task.stream_id BETWEEN 0 AND 65535;
DROP TABLE temp.capture;
-- @end

-- What is said of a task of a captured model describes a kernel that was launched outside of the call of a node; the last record counts.
-- @when EXISTS (SELECT 1 FROM capture_op_info)
CREATE TEMP TABLE captured AS SELECT device_id, stream_id, task_id & 65535 AS task_id, max(rowid) AS row FROM capture_op_info GROUP BY 1, 2, 3;
CREATE UNIQUE INDEX temp.captured_by_task ON captured(device_id, stream_id, task_id);
CREATE TEMP TABLE found AS
SELECT t.id, t.connection_id, c.row, (SELECT value FROM temp.tensor_of_call x WHERE x.connection_id = c.row + 4611686018427387904) AS tensor_id
FROM task t CROSS JOIN temp.captured c ON c.device_id = t.device_id AND c.stream_id = t.stream_id AND c.task_id = t.task_id & 65535
WHERE t.host_type IN (SELECT k.kind FROM host_kind k JOIN host_word w USING (name) WHERE w.alone)
  AND NOT EXISTS (SELECT 1 FROM api a WHERE a.connection_id = t.connection_id AND a.level = 10000);
UPDATE task SET is_op = 1, op_name = i.op_name, op_type = iif(i.level0, NULL, i.op_type), node_type = iif(i.level0, NULL, i.task_type),
  block_num = coalesce(task.block_num, iif(i.level0, NULL, i.block_num)), mix_num = coalesce(task.mix_num, iif(i.level0, NULL, i.block_num * i.mix_num)),
  op_flag = iif(i.level0, NULL, i.op_flag <> 0), op_state = iif(i.level0, NULL, i.aging IS NOT NULL), tensor_id = iif(i.level0, NULL, i.tensor_id),
  model_id = iif(task.model_id = 4294967295, i.model_id, task.model_id)
FROM (SELECT f.id AS of, f.tensor_id, g.level0, o.model_id, o.task_type, o.block_num, o.mix_num, o.op_name, o.op_type, o.op_flag, o.aging
  FROM temp.found f CROSS JOIN capture_op_info o ON o.rowid = f.row CROSS JOIN temp.task_given g) i WHERE task.id = i.of;
INSERT OR IGNORE INTO node_attr
SELECT f.connection_id, o.attr FROM temp.found f CROSS JOIN capture_op_info o ON o.rowid = f.row WHERE f.connection_id IS NOT NULL AND o.attr <> 0 ORDER BY o.rowid;
INSERT OR IGNORE INTO temp.changed SELECT id FROM temp.found;
DROP TABLE temp.captured;
DROP TABLE temp.found;
-- @end
DROP TABLE temp.tensor_of_call;

-- Blocks that the device counted, where the host did not say how many: the n-th record of a task goes with its n-th run.
-- @when EXISTS (SELECT 1 FROM ts_block_num)
CREATE TEMP TABLE counted AS
SELECT s.device_id, b.stream_id, b.task_id, b.block_num, row_number() OVER (PARTITION BY s.device_id, b.stream_id, b.task_id ORDER BY b.rowid) AS n
FROM source s CROSS JOIN ts_block_num b WHERE s.target = 'ts_block_num' AND b.rowid BETWEEN s.first_row AND s.last_row;
CREATE UNIQUE INDEX temp.counted_by_run ON counted(device_id, stream_id, task_id, n);
CREATE TEMP TABLE blocks AS
SELECT r.id, c.block_num
FROM (SELECT id, device_id, stream_id, task_id, block_num, row_number() OVER (PARTITION BY device_id, stream_id, task_id ORDER BY id) AS n
  FROM task WHERE start_ns IS NOT NULL) r
CROSS JOIN temp.counted c ON c.device_id = r.device_id AND c.stream_id = r.stream_id AND c.task_id = r.task_id AND c.n = r.n
WHERE r.block_num IS NULL;
UPDATE task SET block_num = b.block_num & 65535, mix_num = coalesce(task.mix_num, (b.block_num & 65535) * (b.block_num >> 16)) FROM temp.blocks b WHERE task.id = b.id;
INSERT OR IGNORE INTO temp.changed SELECT id FROM task WHERE start_ns IS NOT NULL;
DROP TABLE temp.counted;
DROP TABLE temp.blocks;
-- @end

-- The time of the cores of what has other blocks, or counters, by now.
UPDATE task SET aic_us = core_us(aic_cycles, frequency_mhz, iif(b.core_type = 0, mix_num, task.block_num), b.cores),
  aiv_us = core_us(aiv_cycles, frequency_mhz, iif(b.core_type = 1, mix_num, task.block_num), b.aiv_cores)
FROM (SELECT c.id, g.cores, g.aiv_cores, m.core_type FROM temp.changed c CROSS JOIN temp.task_given g LEFT JOIN temp.mixed m USING (id)) b
WHERE task.id = b.id;
DROP TABLE temp.mixed;
INSERT INTO temp.task_seen(device_type, node_type, op_name, op_type)
SELECT DISTINCT t.device_type, t.node_type, t.op_name, t.op_type FROM temp.changed c CROSS JOIN task t WHERE t.id = c.id;

-- Copies: a record of the same thread and time says how much a launch copies, at most its greatest size at once; 65535: no direction is known.
-- @when EXISTS (SELECT 1 FROM temp.task_seen WHERE copies)
CREATE TEMP TABLE copied AS
SELECT t.id, m.data_size, m.max_size, m.direction, row_number() OVER (PARTITION BY t.thread_id, t.launch_ns ORDER BY t.batch_id, t.task_id, t.id) - 1 AS before
FROM task t LEFT JOIN (SELECT thread_id, time_ns, data_size, max_size, direction FROM memcpy_info GROUP BY thread_id, time_ns HAVING max(rowid)) m
  ON m.thread_id = t.thread_id AND m.time_ns = t.launch_ns
WHERE t.host_type IN (SELECT kind FROM host_kind JOIN host_word USING (name) WHERE copies);
INSERT INTO task_copy
SELECT id, coalesce(max(0, min(data_size - before * max_size, max_size)), 0),
  CASE WHEN data_size - before * max_size > 0 AND direction <= 7 THEN direction ELSE 65535 END
FROM temp.copied ORDER BY id;
DROP TABLE temp.copied;
-- @end

-- Memory of operators: a release closes the latest allocation of its operator and address, if nothing was released since. Pairs come in
-- order of their release; what was never released follows in order of its first allocation since.
-- @when EXISTS (SELECT 1 FROM task_memory_info)
CREATE TEMP TABLE held AS
SELECT rowid AS row, size, lag(size) OVER w AS before_size, lag(rowid) OVER w AS before_row,
  max(CASE WHEN size < 0 THEN rowid END) OVER k AS released_row, device_id, operator, address
FROM task_memory_info WHERE size <> 0 WINDOW k AS (PARTITION BY device_id, operator, address), w AS (PARTITION BY device_id, operator, address ORDER BY rowid);
INSERT INTO op_memory SELECT before_row, row FROM temp.held WHERE size < 0 AND before_size > 0 ORDER BY row;
INSERT INTO op_memory
SELECT max(row), NULL FROM temp.held WHERE row > coalesce(released_row, 0) GROUP BY device_id, operator, address ORDER BY min(row);
DROP TABLE temp.held;
-- @end

DROP TABLE temp.again;
DROP TABLE temp.helped;
-- The other core of a kernel for both cores is counted by blocks: those that ended during the run, as many as it has.
-- @when EXISTS (SELECT 1 FROM block_pmu)
CREATE VIRTUAL TABLE temp.run USING intervals(
  SELECT (device_id << 32 | stream_id << 16 | task_id) << 16 | (context_id & 65535), start_ns, start_ns + dur_ns, id FROM task
  WHERE start_ns IS NOT NULL AND (aic_cycles IS NULL) <> (aiv_cycles IS NULL) ORDER BY start_ns, id);
CREATE TEMP TABLE block AS
SELECT id, subtask_type, total_int(total_cycles) AS total_cycles, total_int(pmu0) AS pmu0, total_int(pmu1) AS pmu1, total_int(pmu2) AS pmu2,
  total_int(pmu3) AS pmu3, total_int(pmu4) AS pmu4, total_int(pmu5) AS pmu5, total_int(pmu6) AS pmu6, total_int(pmu7) AS pmu7
FROM (
  SELECT t.id, b.*, t.mix_num, row_number() OVER (PARTITION BY t.id ORDER BY b.start_ns + b.dur_ns, b.rowid) AS n
  FROM source s CROSS JOIN block_pmu b CROSS JOIN temp.run r
  ON r.key = ((s.device_id << 32 | b.stream_id << 16 | b.task_id) << 16 | b.context_id) AND r.at = b.start_ns + b.dur_ns
  CROSS JOIN task t ON t.id = r.value AND (t.aic_cycles IS NOT NULL) = (b.subtask_type = 6)
  WHERE s.target = 'block_pmu' AND b.rowid BETWEEN s.first_row AND s.last_row
    AND b.ffts_type = 4 AND b.subtask_type IN (6, 7) AND b.core_type = (b.subtask_type = 6))
WHERE n <= mix_num GROUP BY id;
UPDATE task SET aiv_cycles = b.total_cycles, aiv_pmu0 = b.pmu0, aiv_pmu1 = b.pmu1, aiv_pmu2 = b.pmu2, aiv_pmu3 = b.pmu3,
  aiv_pmu4 = b.pmu4, aiv_pmu5 = b.pmu5, aiv_pmu6 = b.pmu6, aiv_pmu7 = b.pmu7,
  aiv_us = core_us(b.total_cycles, frequency_mhz, task.mix_num, (SELECT aiv_cores FROM temp.task_given))
FROM temp.block b WHERE task.id = b.id AND b.subtask_type = 6;
UPDATE task SET aic_cycles = b.total_cycles, aic_pmu0 = b.pmu0, aic_pmu1 = b.pmu1, aic_pmu2 = b.pmu2, aic_pmu3 = b.pmu3,
  aic_pmu4 = b.pmu4, aic_pmu5 = b.pmu5, aic_pmu6 = b.pmu6, aic_pmu7 = b.pmu7,
  aic_us = core_us(b.total_cycles, frequency_mhz, task.mix_num, (SELECT cores FROM temp.task_given))
FROM temp.block b WHERE task.id = b.id AND b.subtask_type = 7;
DROP TABLE temp.run;
DROP TABLE temp.block;
-- @end

DROP TABLE temp.task_given;
