-- Runs after communication.sql: collective operations that the AI CPU runs. A kernel of its launches steps on streams of a group, without the host.
-- @when EXISTS (SELECT 1 FROM mc2_comm_info)
CREATE TEMP TABLE server(stream_id INTEGER PRIMARY KEY, group_name INTEGER);
INSERT OR REPLACE INTO temp.server SELECT stream_id, group_name FROM mc2_comm_info ORDER BY rowid;
CREATE TEMP TABLE lane AS
SELECT DISTINCT number_at(i.streams, 4 * n.value, 4) AS stream_id, i.group_name FROM mc2_comm_info i CROSS JOIN numbers(8) n
WHERE i.stream_count <= 8 AND n.value < i.stream_count;

-- Records of devices. Some bits of stream and task may have changed places, as in their logs. The batch is the number of the last flip, and how
-- often the stream ended before.
CREATE TEMP TABLE number AS
SELECT stream, task, CASE WHEN w.wide THEN iif(stream & 32768, task, stream) & 32767 ELSE iif(stream & 12288 = 8192, task, stream) & 2047 END AS stream_id,
  CASE WHEN w.wide THEN iif(stream & 32768, (task & 32768) | (stream & 32767), task) WHEN stream & 4096 THEN (task & 8191) | (stream & 57344)
    WHEN stream & 8192 THEN (stream & 4095) | (task & 61440) ELSE task END AS task_id
FROM (SELECT stream_id AS stream, task_id AS task FROM aicpu_flip UNION SELECT stream_id, task_id FROM device_op_info UNION SELECT stream_id, task_id FROM device_step
  UNION SELECT stream_id2, task_id2 FROM device_step UNION SELECT stream_id, task_id FROM device_end UNION SELECT aicpu_stream_id, aicpu_task_id FROM device_end)
CROSS JOIN (SELECT coalesce((SELECT expand_status = 1 FROM expand_stream_spec LIMIT 1), 0) AS wide) w;
CREATE UNIQUE INDEX temp.number_by_record ON number(stream, task);
CREATE TEMP TABLE turned AS
SELECT s.device_id, n.stream_id, f.flip_num, f.time_ns
FROM source s CROSS JOIN aicpu_flip f ON f.rowid BETWEEN s.first_row AND s.last_row CROSS JOIN temp.number n ON n.stream = f.stream_id AND n.task = f.task_id
WHERE s.target = 'aicpu_flip';
CREATE INDEX temp.turned_by_stream ON turned(device_id, stream_id, time_ns);
CREATE TEMP TABLE told AS
SELECT s.device_id, n.stream_id, i.time_ns, i.rowid AS row
FROM source s CROSS JOIN device_op_info i ON i.rowid BETWEEN s.first_row AND s.last_row CROSS JOIN temp.number n ON n.stream = i.stream_id AND n.task = i.task_id
WHERE s.target = 'device_op_info';
CREATE INDEX temp.told_by_stream ON told(device_id, stream_id, time_ns);
CREATE TEMP TABLE named_step AS
SELECT r.device_id, r.row, r.half, r.time_ns, n.stream_id, n.task_id
FROM (SELECT s.device_id, e.rowid AS row, h.value AS half, iif(h.value, e.stream_id2, e.stream_id) AS stream, iif(h.value, e.task_id2, e.task_id) AS task,
    iif(h.value, e.time2_ns, e.time_ns) AS time_ns
  FROM source s CROSS JOIN device_step e ON e.rowid BETWEEN s.first_row AND s.last_row CROSS JOIN numbers(2) h
  WHERE s.target = 'device_step' AND iif(h.value, e.group_name2, e.group_name) <> 0
  UNION ALL
  SELECT s.device_id, e.rowid, 2 + (e.is_last = 1), e.stream_id, e.task_id, e.time_ns
  FROM source s CROSS JOIN device_end e ON e.rowid BETWEEN s.first_row AND s.last_row WHERE s.target = 'device_end' AND e.is_last <= 1) r
CROSS JOIN temp.number n ON n.stream = r.stream AND n.task = r.task;

-- The tasks that these records name, the latest of the same numbers; without records of steps all tasks on the streams of groups.
CREATE TEMP TABLE near AS
SELECT id, device_id, stream_id, task_id, batch_id, device_type, start_ns, start_ns + dur_ns AS end_ns FROM task
WHERE stream_id IN (SELECT stream_id FROM temp.lane) AND start_ns IS NOT NULL AND context_id = 4294967295;
CREATE INDEX temp.near_by_number ON near(device_id, stream_id, task_id, batch_id, start_ns);
CREATE TEMP TABLE found AS
SELECT n.device_id, n.row, n.half, n.time_ns, (SELECT id FROM temp.near t WHERE t.device_id = n.device_id AND t.stream_id = n.stream_id AND t.task_id = n.task_id
    AND t.batch_id = coalesce((SELECT flip_num FROM temp.turned f WHERE f.device_id = n.device_id AND f.stream_id = n.stream_id AND f.time_ns <= n.time_ns
        AND f.flip_num <> 65535 ORDER BY f.time_ns DESC LIMIT 1), 0)
      + (SELECT count(*) FROM temp.turned f WHERE f.device_id = n.device_id AND f.stream_id = n.stream_id AND f.time_ns <= n.time_ns AND f.flip_num = 65535)
    ORDER BY t.start_ns DESC LIMIT 1) AS id
FROM temp.named_step n;
INSERT INTO temp.found
SELECT device_id, NULL, 0, start_ns, id FROM temp.near n WHERE NOT EXISTS (SELECT 1 FROM temp.named_step s WHERE s.device_id = n.device_id AND s.half < 2);
CREATE INDEX temp.found_by_id ON found(id, half);

-- Operations are kernels on the streams of servers, or of a name that says it. What the device says of one counts where it says so while it runs. It then
-- lasts from the last of its first steps to the last step that is named, and bears the name of the host's operation in whose call it was launched last.
CREATE TEMP TABLE outer_call AS
SELECT connection_id, thread_id, start_ns, start_ns + dur_ns AS end_ns, item_id FROM api WHERE connection_id IN (SELECT connection_id FROM comm_op);
CREATE VIRTUAL TABLE temp.outer_around USING intervals(SELECT thread_id, start_ns, end_ns, connection_id FROM temp.outer_call ORDER BY connection_id);
CREATE TEMP TABLE inner_call(connection_id INTEGER PRIMARY KEY, outer_id INTEGER);
INSERT OR IGNORE INTO temp.inner_call
SELECT max(a.connection_id), o.value FROM api a CROSS JOIN temp.outer_around o ON o.key = a.thread_id AND o.at = a.start_ns
WHERE a.level = 10000 AND a.connection_id <> o.value GROUP BY o.value;
CREATE TEMP TABLE ran AS
SELECT t.id, t.device_id, t.stream_id, t.task_id, t.batch_id, t.context_id, t.launch_ns, t.connection_id, t.model_id, t.op_type, n.name, t.start_ns,
  t.start_ns + t.dur_ns AS end_ns, s.group_name, EXISTS (SELECT 1 FROM temp.told d WHERE d.device_id = t.device_id AND d.stream_id = t.stream_id) AS of_host,
  (SELECT row FROM temp.told d WHERE d.device_id = t.device_id AND d.stream_id = t.stream_id AND d.time_ns >= t.start_ns ORDER BY d.time_ns LIMIT 1) AS row
FROM task t LEFT JOIN temp.server s ON s.stream_id = t.stream_id
CROSS JOIN (SELECT hash, name FROM name WHERE name <> 'hcomAicpuInit') n ON n.hash = t.op_name
WHERE t.start_ns IS NOT NULL AND t.is_op AND coalesce(t.node_type NOT IN (9, 256), 1)
  AND (s.stream_id IS NOT NULL OR t.op_name IN (SELECT hash FROM name WHERE name LIKE '%AicpuKernel'))
  AND NOT EXISTS (SELECT 1 FROM host_kind k WHERE k.kind = t.host_type AND k.name IN ('NOTIFY_WAIT', 'MEMCPY_ASYNC'));
CREATE TEMP TABLE mark AS
SELECT f.device_id, n.stream_id, f.time_ns, f.half, t.start_ns, t.end_ns
FROM temp.found f CROSS JOIN device_end e ON e.rowid = f.row CROSS JOIN temp.number n ON n.stream = e.aicpu_stream_id AND n.task = e.aicpu_task_id
CROSS JOIN temp.near t ON t.id = f.id WHERE f.half >= 2;
CREATE INDEX temp.mark_by_stream ON mark(device_id, stream_id, time_ns);
CREATE TEMP TABLE lasted AS
SELECT r.*, i.relay, i.retry, i.data_type, i.alg_type, i.count, i.rank_size, coalesce(i.group_name, r.group_name) AS of_group,
  coalesce((SELECT m.start_ns FROM temp.mark m WHERE m.device_id = r.device_id AND m.stream_id = r.stream_id AND m.time_ns BETWEEN r.start_ns AND r.end_ns AND m.half = 2
    ORDER BY m.time_ns DESC LIMIT 1), r.start_ns) AS from_ns,
  coalesce((SELECT m.end_ns FROM temp.mark m WHERE m.device_id = r.device_id AND m.stream_id = r.stream_id AND m.time_ns BETWEEN r.start_ns AND r.end_ns
    ORDER BY m.time_ns DESC LIMIT 1), r.end_ns) AS to_ns,
  coalesce(CASE WHEN r.of_host THEN (SELECT coalesce((SELECT name FROM name n WHERE n.hash = o.item_id), printf('%u', o.item_id))
    FROM temp.inner_call c CROSS JOIN temp.outer_call o ON o.connection_id = c.outer_id WHERE c.connection_id = r.connection_id) END, r.name) AS base
FROM temp.ran r LEFT JOIN device_op_info i ON i.rowid = r.row AND i.time_ns <= r.end_ns;
CREATE TEMP TABLE numbered AS
SELECT *, from_ns > coalesce((SELECT value FROM meta WHERE key = 'begin_ns'), 0) AS counts, instr(base, 'AicpuKernel') > 0 AS is_kernel,
  row_number() OVER (PARTITION BY device_id, stream_id, task_id, batch_id, context_id ORDER BY start_ns) AS run
FROM temp.lasted;
CREATE TEMP TABLE ran_op AS
SELECT *, base || '_' || CASE WHEN of_group IS NULL THEN 'N/A' ELSE substr(printf('%u', of_group), -3) END || '_' || (count(*) FILTER (WHERE is_next) OVER w - 1) || '_' || run AS full_name
FROM (SELECT *, counts AND launch_ns > coalesce(max(launch_ns) FILTER (WHERE counts) OVER (
    PARTITION BY device_id, stream_id, of_group, is_kernel ORDER BY start_ns, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS is_next FROM temp.numbered)
WINDOW w AS (PARTITION BY device_id, stream_id, of_group, is_kernel ORDER BY start_ns, id ROWS UNBOUNDED PRECEDING);
CREATE INDEX temp.ran_op_by_group ON ran_op(device_id, of_group, from_ns);

-- A step is of the first operation of its group during which it ended. The first step of an operation, or a task that says so, makes its stream the
-- master's from then on. Planes are the streams in the order of their first steps, after that of the master.
CREATE TEMP TABLE matched AS
SELECT f.row, f.half, t.id, t.device_id, t.stream_id, t.start_ns, t.end_ns, l.group_name, o.rowid AS op, o.of_host, o.from_ns,
  EXISTS (SELECT 1 FROM temp.found m WHERE m.id = t.id AND m.half = 2) AS is_first, t.device_type = 20 AS is_sent,
  row_number() OVER (PARTITION BY t.device_id, l.group_name ORDER BY o.from_ns, o.id, t.end_ns, f.rowid) AS n
FROM temp.found f CROSS JOIN temp.near t ON t.id = f.id CROSS JOIN temp.lane l ON l.stream_id = t.stream_id
CROSS JOIN temp.ran_op o ON o.rowid = (SELECT r.rowid FROM temp.ran_op r
  WHERE r.device_id = t.device_id AND r.of_group = l.group_name AND r.from_ns <= t.end_ns AND r.to_ns >= t.end_ns ORDER BY r.from_ns, r.id LIMIT 1)
WHERE f.half < 2;
CREATE INDEX temp.matched_by_place ON matched(device_id, group_name, n);
CREATE TEMP TABLE led AS
SELECT m.*, CASE WHEN m.is_first OR m.is_sent THEN NOT m.of_host ELSE coalesce(m.stream_id = (SELECT l.stream_id FROM temp.matched l
  WHERE l.device_id = m.device_id AND l.group_name = m.group_name AND l.n = m.last_mark), 0) END AS is_master
FROM (SELECT *, max(n) FILTER (WHERE is_first OR is_sent) OVER (PARTITION BY device_id, group_name ORDER BY n ROWS UNBOUNDED PRECEDING) AS last_mark FROM temp.matched) m;
CREATE TEMP TABLE plane AS
SELECT device_id, group_name, stream_id, row_number() OVER (PARTITION BY device_id, group_name ORDER BY n) AS plane_id
FROM (SELECT device_id, group_name, stream_id, min(n) AS n FROM temp.led WHERE NOT is_master AND NOT is_first AND row IS NOT NULL GROUP BY device_id, group_name, stream_id);
CREATE TEMP TABLE placed_step AS
SELECT l.*, row_number() OVER (ORDER BY l.device_id, l.group_name, l.n) AS number,
  CASE WHEN l.is_master OR l.is_first THEN l.of_host ELSE (SELECT p.plane_id FROM temp.plane p
    WHERE p.device_id = l.device_id AND p.group_name IS l.group_name AND p.stream_id = l.stream_id) + l.of_host END AS plane_id
FROM temp.led l;

-- Operations of the host get the steps, and what the device says of them; others are operations of their own, named by their kernel.
UPDATE comm_op SET relay = r.relay, retry = r.retry
FROM (SELECT device_id, full_name, relay, retry, min(start_ns) FROM temp.ran_op WHERE of_host GROUP BY device_id, full_name) r
WHERE r.device_id = comm_op.device_id AND r.full_name = comm_op.name AND EXISTS (SELECT 1 FROM temp.placed_step p WHERE p.device_id = comm_op.device_id AND p.of_host);
CREATE TEMP TABLE op_key AS
SELECT o.device_id, o.full_name AS name, p.group_name, o.of_host, min(p.number) AS first, max(o.rowid) AS op,
  min(p.start_ns) FILTER (WHERE p.is_master) AS start_ns, max(p.end_ns) FILTER (WHERE p.is_master) AS end_ns
FROM temp.placed_step p CROSS JOIN temp.ran_op o ON o.rowid = p.op GROUP BY o.device_id, o.full_name, p.group_name, o.of_host;
CREATE VIRTUAL TABLE temp.key_order USING hash_order(
  SELECT device_id, rowid, text_hash(name || '_' || printf('%u', group_name) || '_' || device_id) FROM temp.op_key ORDER BY device_id DESC, of_host, first);
INSERT INTO comm_op(device_id, connection_id, name, op_type, start_ns, end_ns, step_group, group_name, relay, retry, data_type, alg_type, count, rank_size, model_id, on_aicpu)
SELECT k.device_id, r.connection_id, k.name, r.op_type, CASE WHEN NOT k.of_host THEN k.start_ns END, CASE WHEN NOT k.of_host THEN k.end_ns END, k.group_name, k.group_name,
  r.relay, r.retry, r.data_type, r.alg_type, r.count, coalesce(r.rank_size, 4294967295), r.model_id, NOT k.of_host
FROM temp.key_order o CROSS JOIN temp.op_key k ON k.rowid = o.id CROSS JOIN temp.ran_op r ON r.rowid = k.op
WHERE NOT k.of_host OR NOT EXISTS (SELECT 1 FROM comm_op c WHERE c.device_id = k.device_id AND c.name = k.name AND c.step_group IS k.group_name)
ORDER BY k.start_ns IS NULL, o.rowid;
CREATE TEMP TABLE described AS SELECT coalesce(max(rowid), 0) AS rows FROM hccl_info;
INSERT INTO hccl_info(rowid, item_id, ccl_tag, group_name, local_rank, remote_rank, rank_size, work_flow_mode, plane_id, context_id, notify_id, stage, role, estimate, src_addr,
  dst_addr, size, op_type, data_type, link_type, transport_type, rdma_type, time_ns)
SELECT d.rows + p.number, iif(p.half, s.item_id2, s.item_id), iif(p.half, s.ccl_tag2, s.ccl_tag),
  iif(p.half, s.group_name2, s.group_name), iif(p.half, s.local_rank2, s.local_rank), iif(p.half, s.remote_rank2, s.remote_rank), iif(p.half, s.rank_size2, s.rank_size),
  iif(p.half, s.work_flow_mode2, s.work_flow_mode), p.plane_id, 4294967295, iif(p.half, s.notify_id2, s.notify_id), iif(p.half, s.stage2, s.stage), iif(p.half, s.role2, s.role),
  iif(p.half, s.estimate2, s.estimate), iif(p.half, s.src_addr2, s.src_addr), iif(p.half, s.dst_addr2, s.dst_addr), iif(p.half, s.size2, s.size),
  iif(p.half, s.op_type2, s.op_type), iif(p.half, s.data_type2, s.data_type), iif(p.half, s.link_type2, s.link_type),
  iif(p.half, s.transport_type2, s.transport_type), iif(p.half, s.rdma_type2, s.rdma_type), iif(p.half, s.time2_ns, s.time_ns)
FROM temp.placed_step p CROSS JOIN temp.described d CROSS JOIN device_step s ON s.rowid = p.row ORDER BY p.number;
-- The reference computes bandwidths of these steps by 0.001 cubed.
INSERT OR IGNORE INTO comm_task(id, op_id, info_row, is_master, connection_id, bandwidth, on_aicpu)
SELECT p.id, (SELECT id FROM comm_op o WHERE o.device_id = p.device_id AND o.name = r.full_name AND o.step_group IS p.group_name AND o.on_aicpu = NOT p.of_host),
  h.rowid, p.is_master, r.connection_id, CASE WHEN p.end_ns > p.start_ns THEN coalesce(h.size, -1) * 1e-9 / ((p.end_ns - p.start_ns) * 1e-9) ELSE 0 END, 1
FROM temp.placed_step p CROSS JOIN temp.described d CROSS JOIN temp.ran_op r ON r.rowid = p.op LEFT JOIN hccl_info h ON p.row IS NOT NULL AND h.rowid = d.rows + p.number
ORDER BY p.number;
DROP TABLE temp.server;
DROP TABLE temp.lane;
DROP TABLE temp.number;
DROP TABLE temp.turned;
DROP TABLE temp.told;
DROP TABLE temp.named_step;
DROP TABLE temp.near;
DROP TABLE temp.found;
DROP TABLE temp.outer_around;
DROP TABLE temp.outer_call;
DROP TABLE temp.inner_call;
DROP TABLE temp.ran;
DROP TABLE temp.mark;
DROP TABLE temp.lasted;
DROP TABLE temp.numbered;
DROP TABLE temp.ran_op;
DROP TABLE temp.matched;
DROP TABLE temp.led;
DROP TABLE temp.plane;
DROP TABLE temp.placed_step;
DROP TABLE temp.key_order;
DROP TABLE temp.op_key;
DROP TABLE temp.described;
-- @end
