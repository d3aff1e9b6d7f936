-- Runs after the tasks are joined: what rarer records say of them. Where there are none it costs a look.

DROP TABLE temp.joined_task;
DROP TABLE temp.task_given;
SELECT drop_map(value) FROM json_each('["tensor","launch","batch","frequency"]');

INSERT OR IGNORE INTO setting
SELECT device_id, (SELECT CAST(json_extract(text, '$.platform_version') AS INTEGER) FROM control c WHERE c.name = 'info.json' AND c.device_id = d.device_id),
  (SELECT json_extract(text, '$.llc_profiling') FROM control c WHERE c.name = 'sample.json' AND c.device_id = d.device_id)
FROM device d;

-- Chips 1 to 4 give this number another meaning.
UPDATE task_kind SET name = 'SDMA_SQE' WHERE kind = 9 AND EXISTS (SELECT 1 FROM source WHERE layout = 'prof.hwts' AND records > 0);

-- Chips of version 6 give many another.
INSERT OR REPLACE INTO task_kind
SELECT column1, column2 FROM (VALUES (1, 'AIV_SQE'), (2, 'FUSION'), (3, 'PLACE_HOLDER'), (4, 'AICPU_H'), (5, 'AICPU_D'), (6, 'NOTIFY_RECORD'), (7, 'NOTIFY_WAIT'),
  (8, 'WRITE_VALUE'), (9, 'UBDMA'), (10, 'ASYNCDMA'), (11, 'SDMA'), (12, 'VPC'), (13, 'JPEGE'), (14, 'JPEGD'), (15, 'CMO'), (16, 'CCU'), (20, 'CONDITION'), (21, 'END'))
WHERE EXISTS (SELECT 1 FROM setting WHERE chip IN (15, 16));

-- Their counters are those of blocks: added up over the blocks that began during a run.
SELECT count(span('run', id, device_id << 32 | stream_id << 16 | task_id, start_ns, start_ns + dur_ns))
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM v6_pmu)) CROSS JOIN (SELECT * FROM task WHERE start_ns IS NOT NULL ORDER BY id LIMIT -1);
CREATE TEMP TABLE block AS
SELECT within('run', s.device_id << 32 | v.stream_id << 16 | v.task_id, v.start_ns) AS id, v.core_type, v.total_cycles,
  pmu0, pmu1, pmu2, pmu3, pmu4, pmu5, pmu6, pmu7, pmu8, pmu9
FROM source s CROSS JOIN v6_pmu v WHERE s.target = 'v6_pmu' AND v.rowid BETWEEN s.first_row AND s.last_row;
UPDATE task SET aic_cycles = b.total_cycles, aic_pmu0 = b.pmu0, aic_pmu1 = b.pmu1, aic_pmu2 = b.pmu2, aic_pmu3 = b.pmu3, aic_pmu4 = b.pmu4, aic_pmu5 = b.pmu5, aic_pmu6 = b.pmu6, aic_pmu7 = b.pmu7, aic_pmu8 = b.pmu8, aic_pmu9 = b.pmu9
FROM (SELECT id, total_int(total_cycles) AS total_cycles, total_int(pmu0) AS pmu0, total_int(pmu1) AS pmu1, total_int(pmu2) AS pmu2, total_int(pmu3) AS pmu3, total_int(pmu4) AS pmu4, total_int(pmu5) AS pmu5, total_int(pmu6) AS pmu6, total_int(pmu7) AS pmu7, total_int(pmu8) AS pmu8, total_int(pmu9) AS pmu9
  FROM temp.block WHERE id IS NOT NULL AND core_type = 0 GROUP BY id) b
WHERE task.id = b.id AND task.aic_cycles IS NULL;
UPDATE task SET aiv_cycles = b.total_cycles, aiv_pmu0 = b.pmu0, aiv_pmu1 = b.pmu1, aiv_pmu2 = b.pmu2, aiv_pmu3 = b.pmu3, aiv_pmu4 = b.pmu4, aiv_pmu5 = b.pmu5, aiv_pmu6 = b.pmu6, aiv_pmu7 = b.pmu7, aiv_pmu8 = b.pmu8, aiv_pmu9 = b.pmu9
FROM (SELECT id, total_int(total_cycles) AS total_cycles, total_int(pmu0) AS pmu0, total_int(pmu1) AS pmu1, total_int(pmu2) AS pmu2, total_int(pmu3) AS pmu3, total_int(pmu4) AS pmu4, total_int(pmu5) AS pmu5, total_int(pmu6) AS pmu6, total_int(pmu7) AS pmu7, total_int(pmu8) AS pmu8, total_int(pmu9) AS pmu9
  FROM temp.block WHERE id IS NOT NULL AND core_type = 1 GROUP BY id) b
WHERE task.id = b.id AND task.aiv_cycles IS NULL;
SELECT drop_map('run');

-- The counters of the vector cores of chips 1 to 4: the first of several goes with the first run.
SELECT count(put('aiv', a.rowid, s.device_id, a.stream_id, a.task_id))
FROM source s CROSS JOIN aiv_pmu a WHERE s.target = 'aiv_pmu' AND a.rowid BETWEEN s.first_row AND s.last_row;
CREATE TEMP TABLE found AS
SELECT t.id, take('aiv', t.device_id, t.stream_id, t.task_id) AS row
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM aiv_pmu)) CROSS JOIN task t WHERE t.start_ns IS NOT NULL;
UPDATE task SET aiv_cycles = a.total_cycles, aiv_pmu0 = a.pmu0, aiv_pmu1 = a.pmu1, aiv_pmu2 = a.pmu2, aiv_pmu3 = a.pmu3,
  aiv_pmu4 = a.pmu4, aiv_pmu5 = a.pmu5, aiv_pmu6 = a.pmu6, aiv_pmu7 = a.pmu7
FROM (SELECT f.id, p.* FROM temp.found f CROSS JOIN aiv_pmu p WHERE p.rowid = f.row) a WHERE task.id = a.id;
DROP TABLE temp.found;

CREATE TEMP TABLE again AS
SELECT id, device_id, stream_id, task_id, batch_id, context_id, NULL AS launched
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.task_seen WHERE unlaunched)) CROSS JOIN task WHERE start_ns IS NOT NULL AND launch_ns IS NULL;

-- Flips: where the host recorded them, a launch is of the batch that they count, whatever its record says; and tasks that take their
-- numbers while another thread flips are of the batch after it: their numbers are below that of the flip. Both are seen by what is
-- left of runs and launches.
CREATE TEMP TABLE flip AS
SELECT device_id, stream_id, task_id, time_ns, number, count(*) FILTER (WHERE NOT ends) OVER (PARTITION BY host, device_id, stream_id, life ORDER BY number) AS batch_id, host FROM (
  SELECT *, row_number() OVER w AS number, count(*) FILTER (WHERE ends) OVER w AS life FROM (
    SELECT k.device_id, k.stream_id, k.task_id, k.time_ns, k.batch_id = 65535 AS ends, 1 AS host FROM task_track k
    WHERE k.task_type IN (SELECT hash FROM name WHERE name = 'FLIP_TASK')
    UNION ALL
    SELECT s.device_id, f.stream_id, f.task_id, f.time_ns, f.flip_num = 65535, 0
    FROM source s CROSS JOIN ts_flip f WHERE s.target = 'ts_flip' AND f.rowid BETWEEN s.first_row AND s.last_row)
  WINDOW w AS (PARTITION BY host, device_id, stream_id ORDER BY time_ns, ends ROWS UNBOUNDED PRECEDING));
SELECT count(span('flip', batch_id, device_id << 32 | stream_id, time_ns, 9223372036854775807))
FROM (SELECT * FROM temp.flip WHERE host ORDER BY device_id, stream_id, time_ns, number LIMIT -1);
SELECT count(put('flipped', task_id, host, device_id, stream_id, batch_id)) FROM temp.flip;
SELECT count(put('has_flips', 1, device_id, stream_id)) FROM temp.flip WHERE host;
CREATE TEMP TABLE left_over AS
SELECT id, device_id, stream_id, task_id, batch_id, launch_ns, NULL AS counted FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.flip)) CROSS JOIN task
WHERE start_ns IS NULL;
UPDATE temp.left_over SET counted = CASE WHEN peek('has_flips', device_id, stream_id) IS NULL THEN batch_id
  ELSE coalesce(within('flip', device_id << 32 | stream_id, launch_ns), 0) END;
UPDATE temp.left_over SET counted = counted + 1 WHERE task_id < peek('flipped', 1, device_id, stream_id, counted + 1);
SELECT count(put('left', id, device_id, stream_id, task_id, counted)) FROM temp.left_over;
CREATE TEMP TABLE flipped AS
SELECT id, coalesce(take('left', device_id, stream_id, task_id, batch_id), take('left', device_id, stream_id, task_id, batch_id + later)) AS launched,
  batch_id, later
FROM (SELECT *, coalesce(task_id < peek('flipped', 0, device_id, stream_id, batch_id + 1), 0) AS later FROM temp.again
  WHERE context_id = 4294967295 AND EXISTS (SELECT 1 FROM temp.left_over) LIMIT -1);
UPDATE temp.again SET launched = f.launched, batch_id = f.batch
FROM (SELECT f.id, f.launched, CASE WHEN l.counted > f.batch_id THEN l.counted ELSE f.batch_id END AS batch FROM temp.flipped f
  CROSS JOIN temp.left_over l WHERE l.id = f.launched) f
WHERE again.id = f.id;
UPDATE task SET batch_id = a.batch_id FROM temp.again a WHERE a.launched IS NOT NULL AND task.id = a.id;
UPDATE task SET batch_id = batch_id + 1 WHERE id IN (
  SELECT id FROM (
    SELECT id, running('seen', task_id >= flip, device_id, stream_id, batch_id) > 0 AND task_id < flip AS raced FROM (
      SELECT id, device_id, stream_id, task_id, batch_id, peek('flipped', 0, device_id, stream_id, batch_id + 1) AS flip
      FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.flip WHERE task_id > 0 AND NOT host)) CROSS JOIN (
        SELECT * FROM task WHERE start_ns IS NOT NULL ORDER BY id LIMIT -1) LIMIT -1)
    WHERE flip > 0 LIMIT -1)
  WHERE raced);
SELECT drop_map(value) FROM json_each('["flip","flipped","has_flips","left","seen"]');
DROP TABLE temp.flip;
DROP TABLE temp.left_over;
DROP TABLE temp.flipped;

-- A task that ran and has no launch of its own: a sub-task of the latest run of its numbers that has one, else a further run of
-- their only launch (models are launched once and run often).
SELECT count(put('launched', id, device_id, stream_id, task_id, batch_id)), count(running('launches', 1, device_id, stream_id, task_id, batch_id))
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.again)) CROSS JOIN task WHERE launch_ns IS NOT NULL;
UPDATE temp.again SET launched = peek('launched', device_id, stream_id, task_id, batch_id)
WHERE launched IS NULL AND running('launches', 0, device_id, stream_id, task_id, batch_id) = 1;
CREATE TEMP TABLE whole AS
SELECT id, CASE WHEN context_id = 4294967295 THEN coalesce(take('whole', device_id, stream_id, task_id), 0) * 0 + put('whole', id, device_id, stream_id, task_id)
  ELSE peek('whole', device_id, stream_id, task_id) END AS whole, context_id
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.again WHERE context_id <> 4294967295)) CROSS JOIN (
  SELECT * FROM task WHERE start_ns IS NOT NULL AND (launch_ns IS NOT NULL OR context_id <> 4294967295) ORDER BY id LIMIT -1);
UPDATE temp.again SET launched = w.whole FROM temp.whole w WHERE w.context_id <> 4294967295 AND w.whole IS NOT NULL AND again.id = w.id;
UPDATE task SET thread_id = l.thread_id, launch_ns = l.launch_ns, connection_id = l.connection_id, host_type = l.host_type,
  kernel_name = l.kernel_name, op_name = l.op_name, op_type = l.op_type, node_type = l.node_type, block_num = l.block_num,
  mix_num = l.mix_num, op_flag = l.op_flag, tensor_id = l.tensor_id
FROM (SELECT a.id AS again, t.* FROM temp.again a CROSS JOIN task t WHERE t.id = a.launched) l WHERE task.id = l.again;
-- what waited for such a run did run
DELETE FROM task WHERE start_ns IS NULL AND id IN (SELECT launched FROM temp.again);
SELECT drop_map(value) FROM json_each('["aiv","launched","launches","whole"]');
DROP TABLE temp.whole;

-- Threads that work for the call of a node are in it for its time.
CREATE TEMP TABLE helper AS
SELECT number_at(m.threads, 4 * e.value, 4) AS thread_id, c.connection_id, c.start_ns, c.start_ns + c.dur_ns AS end_ns
FROM multi_thread m CROSS JOIN api c CROSS JOIN json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]') e
WHERE c.connection_id = within('node', m.thread_id, m.time_ns) AND e.value < m.thread_num;
SELECT count(span('helper', connection_id, thread_id, start_ns, end_ns)) FROM (SELECT * FROM temp.helper ORDER BY start_ns LIMIT -1);
CREATE TEMP TABLE helped AS
SELECT id, within('helper', thread_id, launch_ns) AS connection_id
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.helper)) CROSS JOIN task WHERE launch_ns IS NOT NULL AND connection_id IS NULL;
DELETE FROM temp.helped WHERE connection_id IS NULL;

-- What is said of the nodes of calls, by the call and by call and name: the first of each counts.
CREATE TEMP TABLE node(connection_id INTEGER, op_name INTEGER, op_type INTEGER, node_type INTEGER, block_num INTEGER, mix_num INTEGER,
  op_flag INTEGER, tensor_id INTEGER);
INSERT INTO temp.node
SELECT connection_id, op_name, op_type, node_type, block_num, mix_num, op_flag, tensor_id
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.helped) OR EXISTS (SELECT 1 FROM context_id_info)) CROSS JOIN task
WHERE connection_id IS NOT NULL AND op_name IS NOT NULL;
INSERT INTO temp.node
SELECT coalesce(within('node', thread_id, time_ns), within('helper', thread_id, time_ns)), op_name, op_type, task_type, block_num,
  mix_num, op_flag, peek('tensor_of', coalesce(within('node', thread_id, time_ns), within('helper', thread_id, time_ns)), op_name)
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.helped) OR EXISTS (SELECT 1 FROM context_id_info)) CROSS JOIN node_basic_info;
SELECT count(put('call', rowid, connection_id)), count(put('op', rowid, connection_id, op_name)) FROM temp.node WHERE connection_id IS NOT NULL;
UPDATE task SET connection_id = h.connection_id FROM temp.helped h WHERE task.id = h.id;
UPDATE task SET op_name = n.op_name, op_type = n.op_type, node_type = n.node_type, block_num = coalesce(task.block_num, n.block_num),
  mix_num = coalesce(task.mix_num, n.mix_num), op_flag = n.op_flag, tensor_id = n.tensor_id
FROM (SELECT h.id, c.* FROM temp.helped h CROSS JOIN temp.node c WHERE c.rowid = peek('call', h.connection_id)) n WHERE task.id = n.id;

-- A node may be of several contexts: sub-tasks bear the name of theirs.
SELECT count(put('context', c.op_name, within('node', c.thread_id, c.time_ns), number_at(c.contexts, 4 * e.value, 4)))
FROM context_id_info c CROSS JOIN json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54]') e
WHERE e.value < c.context_num AND within('node', c.thread_id, c.time_ns) IS NOT NULL;
CREATE TEMP TABLE part AS
SELECT id, op_name, peek('op', connection_id, op_name) AS row FROM (
  SELECT t.id, t.connection_id, peek('context', t.connection_id, t.context_id) AS op_name
  FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM context_id_info)) CROSS JOIN task t
  WHERE t.start_ns IS NOT NULL AND t.context_id <> 4294967295 AND t.connection_id IS NOT NULL LIMIT -1)
WHERE op_name IS NOT NULL;
UPDATE task SET op_name = n.name, op_type = n.op_type, node_type = n.node_type, block_num = n.block_num, mix_num = n.mix_num,
  op_flag = n.op_flag, tensor_id = n.tensor_id
FROM (SELECT p.id, p.op_name AS name, c.* FROM temp.part p LEFT JOIN temp.node c ON c.rowid = p.row) n WHERE task.id = n.id;

SELECT drop_map(value) FROM json_each('["call","op","context","tensor_of"]');

-- The attributes of nodes: the first of a call counts.
INSERT OR IGNORE INTO node_attr
SELECT connection_id, attr FROM (
  SELECT coalesce(within('node', thread_id, time_ns), within('helper', thread_id, time_ns)) AS connection_id, attr FROM node_attr_info LIMIT -1)
WHERE connection_id IS NOT NULL;

-- The model of a task is that of the call of the model level, or of the pair of its events, in which it was launched.
CREATE TEMP TABLE model AS
SELECT item_id, thread_id, start_ns, start_ns + dur_ns AS end_ns
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM call_kind WHERE id >> 32 = 15000)) CROSS JOIN api WHERE level = 15000
UNION ALL
SELECT item_id, thread_id, begun_ns, time_ns FROM (
  SELECT item_id, thread_id, time_ns, before('event', time_ns, type, thread_id, request_id, item_id) AS begun_ns,
    running('events', 1, type, thread_id, request_id, item_id) AS number
  FROM (SELECT * FROM event WHERE level = 15000 ORDER BY time_ns, rowid LIMIT -1) LIMIT -1)
WHERE number % 2 = 0;
SELECT count(span('model', item_id, thread_id, start_ns, end_ns)) FROM (SELECT * FROM temp.model ORDER BY start_ns, end_ns DESC LIMIT -1);
UPDATE task SET model_id = within('model', thread_id, launch_ns)
WHERE id <= (SELECT 9223372036854775807 WHERE EXISTS (SELECT 1 FROM temp.model)) AND launch_ns IS NOT NULL AND within('model', thread_id, launch_ns) IS NOT NULL;
INSERT INTO fusion_model
SELECT rowid, within('model', thread_id, time_ns) FROM fusion_op_info WHERE within('model', thread_id, time_ns) IS NOT NULL;
-- The streams of a model that was captured are its own from then on.
SELECT count(span('capture', model_id, device_id << 16 | model_stream_id, time_ns, 9223372036854775807))
FROM (SELECT * FROM capture_stream_info ORDER BY time_ns, rowid LIMIT -1);
UPDATE task SET model_id = within('capture', device_id << 16 | stream_id, coalesce(launch_ns, start_ns))
WHERE id <= (SELECT 9223372036854775807 WHERE EXISTS (SELECT 1 FROM capture_stream_info)) AND stream_id BETWEEN 0 AND 65535
  AND within('capture', device_id << 16 | stream_id, coalesce(launch_ns, start_ns)) IS NOT NULL;

SELECT drop_map(value) FROM json_each('["event","events","model","capture"]');

-- Blocks that the device counted, where the host did not say how many.
SELECT count(put('blocks', b.block_num, s.device_id, b.stream_id, b.task_id))
FROM source s CROSS JOIN ts_block_num b WHERE s.target = 'ts_block_num' AND b.rowid BETWEEN s.first_row AND s.last_row;
CREATE TEMP TABLE blocks AS
SELECT id, take('blocks', device_id, stream_id, task_id) AS number
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM ts_block_num)) CROSS JOIN task WHERE start_ns IS NOT NULL;
UPDATE task SET block_num = b.number & 65535, mix_num = coalesce(task.mix_num, b.number >> 16)
FROM temp.blocks b WHERE task.id = b.id AND task.block_num IS NULL AND b.number IS NOT NULL;

-- The time of the cores of what has other blocks, or counters, by now.
CREATE TEMP TABLE changed AS
SELECT id FROM temp.again WHERE launched IS NOT NULL UNION SELECT id FROM temp.helped UNION SELECT id FROM temp.part
UNION SELECT id FROM temp.blocks UNION SELECT id FROM temp.block WHERE id IS NOT NULL UNION SELECT id FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM aiv_pmu)) CROSS JOIN task WHERE aiv_us IS NULL AND aiv_cycles IS NOT NULL;
UPDATE task SET aic_us = core_us(aic_cycles, frequency_mhz, task.block_num, b.cores), aiv_us = core_us(aiv_cycles, frequency_mhz, task.block_num, b.cores)
FROM (SELECT c.id, coalesce((SELECT value FROM meta WHERE key = 'core_count'), 1) AS cores FROM temp.changed c) b
WHERE task.id = b.id;
-- Copies: of the same call of the runtime, in order of launch.
SELECT count(span('runtime', connection_id, thread_id, start_ns, start_ns + dur_ns))
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM memcpy_info)) CROSS JOIN api WHERE level = 5000;
SELECT count(put('copy', rowid, within('runtime', thread_id, time_ns))) FROM memcpy_info WHERE within('runtime', thread_id, time_ns) IS NOT NULL;
CREATE TEMP TABLE copied AS
SELECT id, take('copy', within('runtime', thread_id, launch_ns)) AS row
FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM memcpy_info)) CROSS JOIN (
  SELECT id, thread_id, launch_ns FROM task WHERE launch_ns IS NOT NULL ORDER BY launch_ns, id LIMIT -1);
INSERT INTO task_copy SELECT c.id, m.data_size, m.direction FROM temp.copied c CROSS JOIN memcpy_info m WHERE m.rowid = c.row ORDER BY c.id;

-- Memory of operators: a release closes the latest allocation of its address.
CREATE TEMP TABLE released AS
SELECT row AS released_row, paired() AS allocated_row
FROM (SELECT rowid AS row, size, device_id, address FROM task_memory_info ORDER BY time_ns, rowid LIMIT -1)
WHERE pair('memory', size < 0, row, device_id, address);
SELECT count(put('released', released_row, allocated_row)), count(put('allocated', allocated_row, released_row)) FROM temp.released;
INSERT INTO op_memory
SELECT CASE WHEN size >= 0 THEN row END, CASE WHEN size >= 0 THEN peek('released', row) ELSE row END
FROM (SELECT rowid AS row, size FROM task_memory_info ORDER BY time_ns, rowid LIMIT -1) WHERE size >= 0 OR peek('allocated', row) IS NULL;
SELECT drop_map(value) FROM json_each('["blocks","runtime","copy","memory","released","allocated"]');
INSERT INTO temp.task_seen(device_type, node_type, op_name, op_type)
SELECT DISTINCT t.device_type, t.node_type, t.op_name, t.op_type FROM temp.changed c CROSS JOIN task t WHERE t.id = c.id;
-- Which task is the first of its connection, where those changed.
UPDATE task SET is_first = nullif(f.is_first, 0)
FROM (SELECT id, first('connection', connection_id) AS is_first
  FROM (SELECT 1 WHERE EXISTS (SELECT 1 FROM temp.again WHERE launched IS NOT NULL) OR EXISTS (SELECT 1 FROM temp.helped)) CROSS JOIN task
  WHERE connection_id IS NOT NULL AND start_ns IS NOT NULL ORDER BY id LIMIT -1) f
WHERE task.id = f.id;
SELECT drop_map('connection');
DROP TABLE temp.again;
DROP TABLE temp.helper;
DROP TABLE temp.helped;
DROP TABLE temp.node;
DROP TABLE temp.part;
DROP TABLE temp.model;
DROP TABLE temp.blocks;
DROP TABLE temp.block;
DROP TABLE temp.changed;
DROP TABLE temp.copied;
DROP TABLE temp.released;
