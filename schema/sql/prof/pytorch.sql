-- What torch_npu adds to the database of a job: its operators and calls, what launched what, steps and memory. Strings and connections
-- have numbers in the order in which torch_npu meets them. Behind the export, from the tables of schema/pytorch.

CREATE TABLE out.PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER,
  inputShapes INTEGER, callchainId INTEGER, type INTEGER);
CREATE TABLE out.CONNECTION_IDS (id INTEGER, connectionId INTEGER);
CREATE TABLE out.PYTORCH_CALLCHAINS (id INTEGER, stack INTEGER, stackDepth INTEGER);
CREATE TABLE out.MEMORY_RECORD (component INTEGER, timestamp INTEGER, totalAllocated INTEGER, totalReserved INTEGER, totalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);
CREATE TABLE out.OP_MEMORY (name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER, activeReleaseTime INTEGER, duration INTEGER, activeDuration INTEGER,
  allocationTotalAllocated INTEGER, allocationTotalReserved INTEGER, allocationTotalActive INTEGER, releaseTotalAllocated INTEGER, releaseTotalReserved INTEGER,
  releaseTotalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);
CREATE TABLE out.GC_RECORD (startNs INTEGER, endNs INTEGER, globalTid INTEGER);
CREATE TABLE out.STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER);
INSERT INTO out.ENUM_API_TYPE VALUES (50001, 'op'), (50002, 'queue'), (50003, 'trace'), (50004, 'mstx');
UPDATE out.RANK_DEVICE_MAP SET rankId = coalesce((SELECT json_extract(settings, '$.rank_id') FROM temp.profile), -1);
INSERT INTO out.META_DATA
SELECT m.key, spaced_json(CASE m.type WHEN 'text' THEN json_quote(m.value) WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE coalesce(repr(m.value), 'null') END)
FROM temp.framework_setting s CROSS JOIN json_each(s.text) m WHERE s.name = 'profiler_metadata.json' ORDER BY m.id;

-- What was taken out of the queue, then what was put in, named after that: by the number of a name, which is -1 without one.
CREATE TEMP TABLE queue_api(id INTEGER PRIMARY KEY, taken INTEGER, start_ns INTEGER, end_ns INTEGER, thread INTEGER, number INTEGER, name INTEGER);
INSERT INTO temp.queue_api(taken, start_ns, end_ns, thread, number, name)
SELECT taken, start_ns, end_ns, p.pid << 32 | thread_id, correlation_id + 1342177280, CASE WHEN taken THEN name
  ELSE coalesce((SELECT name FROM temp.queued t WHERE t.taken = 1 AND t.correlation_id = q.correlation_id ORDER BY t.id DESC LIMIT 1), -1) END
FROM (SELECT coalesce((SELECT pid FROM temp.torch_op ORDER BY rowid LIMIT 1), (SELECT pid FROM temp.queued ORDER BY id LIMIT 1)) AS pid) p CROSS JOIN temp.queued q
WHERE (SELECT has_cpu FROM temp.profile) ORDER BY taken DESC, q.id;
CREATE TEMP TABLE queue_name AS
SELECT taken, name, min(id) AS first, CASE WHEN taken THEN 'Dequeue@' || word('framework_text', 'text', name) ELSE 'Enqueue' || coalesce('@' || word('framework_text', 'text', name), '') END AS value
FROM temp.queue_api GROUP BY taken, name;

-- Strings from 1 << 28 on, as they first appear; an empty one is no string. The texts of a stack are its calls.
CREATE TEMP TABLE torch_string(id INTEGER PRIMARY KEY, value TEXT UNIQUE NOT NULL);
INSERT INTO temp.torch_string VALUES (268435455, '');
INSERT OR IGNORE INTO temp.torch_string(value) SELECT value FROM temp.queue_name ORDER BY first;
INSERT OR IGNORE INTO temp.torch_string(value)
SELECT s.value FROM temp.framework_text t CROSS JOIN json_each(CASE member WHEN 'stack' THEN '[' || replace(json_quote(text), ';', '","') || ']'
  WHEN 'name' THEN json_array(text) ELSE json_array(replace(text, ';', ';' || char(13, 10))) END) s
WHERE owner = 'torch_op' AND member IN ('name', 'types', 'shapes', 'stack') AND text <> '' AND (SELECT has_cpu FROM temp.profile) ORDER BY t.id, s.id;
INSERT OR IGNORE INTO temp.torch_string(value) SELECT name FROM temp.python_event ORDER BY id;
UPDATE temp.torch_string SET id = 4294967295 WHERE value = '';
INSERT INTO out.STRING_IDS SELECT id, value FROM temp.torch_string WHERE value <> '' ORDER BY id;
CREATE VIRTUAL TABLE temp.queue_string USING firsts(SELECT q.taken, q.name, s.id FROM temp.queue_name q CROSS JOIN temp.torch_string s ON s.value = q.value);
CREATE VIRTUAL TABLE temp.text_string USING firsts(
  SELECT t.id, s.id AS string FROM temp.framework_text t CROSS JOIN temp.torch_string s ON s.value = CASE WHEN member = 'name' THEN text ELSE replace(text, ';', ';' || char(13, 10)) END
  WHERE t.id = 0 OR (owner = 'torch_op' AND (member = 'name' OR (member IN ('types', 'shapes') AND text <> ''))));
CREATE TEMP TABLE stack_call(stack INTEGER, depth INTEGER, string INTEGER, PRIMARY KEY(stack, depth)) WITHOUT ROWID;
INSERT INTO temp.stack_call
SELECT t.id, s.key, (SELECT id FROM temp.torch_string w WHERE w.value = s.value)
FROM temp.framework_text t CROSS JOIN json_each('[' || replace(json_quote(text), ';', '","') || ']') s WHERE owner = 'torch_op' AND member = 'stack' AND text <> '';
CREATE TEMP TABLE callchain(id INTEGER PRIMARY KEY, record INTEGER, stack INTEGER);
INSERT INTO temp.callchain(record, stack)
SELECT rowid, stack FROM temp.torch_op WHERE stack IN (SELECT id FROM temp.framework_text WHERE text <> '') AND (SELECT has_cpu FROM temp.profile) ORDER BY rowid;
INSERT INTO out.PYTORCH_CALLCHAINS
SELECT c.id - 1, s.string, s.depth FROM temp.callchain c CROSS JOIN temp.stack_call s ON s.stack = c.stack ORDER BY c.id, s.depth;
CREATE VIRTUAL TABLE temp.record_chain USING firsts(SELECT record, id - 1 AS chain FROM temp.callchain);

-- What each operator launched, behind the link of a forward operator to its backward one: the last ones of their number.
CREATE TEMP TABLE torch_api(id INTEGER PRIMARY KEY, op INTEGER, record INTEGER, is_mark INTEGER, start_ns INTEGER, end_ns INTEGER, thread INTEGER);
CREATE TEMP TABLE node_launch(start_ns INTEGER, end_ns INTEGER, thread INTEGER, connection_id INTEGER);
INSERT INTO temp.node_launch SELECT startNs, endNs, globalTid, connectionId FROM out.CANN_API
WHERE type = 10000 AND name = (SELECT id FROM temp.string WHERE value = 'launch') ORDER BY startNs, connectionId;
CREATE TEMP TABLE marks AS SELECT startNs, endNs, globalTid, connectionId FROM out.MSTX_EVENTS ORDER BY startNs, rowid;
INSERT INTO temp.torch_api(op, record, is_mark, start_ns, end_ns, thread)
WITH op AS (
  SELECT o.*, o.name IN (SELECT id FROM temp.framework_text WHERE owner = 'torch_op' AND text GLOB 'mstx_*') AS is_mark,
    (SELECT pid FROM temp.torch_op ORDER BY rowid LIMIT 1) << 32 | o.thread_id AS thread FROM temp.op o
)
SELECT id, record, is_mark, start_ns, end_ns, thread FROM op
ORDER BY is_mark, CASE WHEN is_mark THEN EXISTS (SELECT 1 FROM temp.marks) ELSE EXISTS (SELECT 1 FROM temp.node_launch) END * start_ns, record;
CREATE TEMP TABLE torch_link(record INTEGER, number INTEGER);
INSERT INTO temp.torch_link
WITH pair AS (
  SELECT min(record) AS first, max(record) FILTER (WHERE forward_thread = 0) AS forward, max(record) FILTER (WHERE forward_thread <> 0) AS backward
  FROM temp.op WHERE name NOT IN (SELECT id FROM temp.framework_text WHERE owner = 'torch_op' AND text GLOB 'mstx_*') AND sequence >= 0 GROUP BY sequence
), numbered AS (
  SELECT forward, backward, row_number() OVER (ORDER BY first) + coalesce((SELECT max(number) FROM temp.queue_api WHERE NOT taken), 1342177279) AS number
  FROM pair WHERE forward AND backward
)
SELECT forward, number FROM numbered UNION ALL SELECT backward, number FROM numbered;
-- Where both sides have the number the first one taken belongs to the first one put in, and so on.
CREATE TEMP TABLE queue_pair(start_ns INTEGER, end_ns INTEGER, thread INTEGER, put_start_ns INTEGER, put_end_ns INTEGER, put_thread INTEGER);
CREATE TEMP TABLE answered(place INTEGER PRIMARY KEY, start_ns INTEGER, end_ns INTEGER, thread INTEGER);
INSERT INTO temp.answered(start_ns, end_ns, thread)
SELECT start_ns, end_ns, thread FROM temp.queue_api a
WHERE NOT taken AND EXISTS (SELECT 1 FROM temp.queued q WHERE q.taken = 1 AND q.correlation_id = a.number - 1342177280) ORDER BY id;
INSERT INTO temp.queue_pair
WITH placed AS (
  SELECT *, row_number() OVER (ORDER BY id) AS place FROM temp.queue_api a
  WHERE taken AND EXISTS (SELECT 1 FROM temp.queued q WHERE q.taken = 0 AND q.correlation_id = a.number - 1342177280)
)
SELECT t.start_ns, t.end_ns, t.thread, p.start_ns, p.end_ns, p.thread FROM placed t CROSS JOIN temp.answered p ON p.place = t.place ORDER BY t.place;
CREATE VIRTUAL TABLE temp.op_launch USING launch_ops(
  (SELECT * FROM temp.node_launch WHERE EXISTS (SELECT 1 FROM temp.queue_pair) OR (SELECT count(DISTINCT taken) FROM temp.queue_api) < 2),
  (SELECT * FROM temp.queue_pair), (SELECT start_ns, end_ns, thread, record FROM temp.torch_api WHERE NOT is_mark ORDER BY id));
INSERT INTO temp.torch_link SELECT * FROM temp.op_launch;
DROP TABLE temp.op_launch;
CREATE VIRTUAL TABLE temp.mark_launch USING launch_ops(
  (SELECT * FROM temp.marks WHERE EXISTS (SELECT 1 FROM temp.queue_pair)), (SELECT * FROM temp.queue_pair),
  (SELECT start_ns, end_ns, thread, record FROM temp.torch_api WHERE is_mark ORDER BY id));
INSERT INTO temp.torch_link SELECT * FROM temp.mark_launch;
DROP TABLE temp.mark_launch;
INSERT INTO temp.framework_loss SELECT 'torch.op_range', 'too many operators overlap: not each has its launches in the database' FROM temp.torch_link WHERE record = 0 LIMIT 1;
-- Operators with a link, in their order, have numbers behind those of the queue.
CREATE INDEX temp.torch_link_by_record ON torch_link(record);
CREATE TEMP TABLE linked_api(id INTEGER PRIMARY KEY, api INTEGER, record INTEGER);
INSERT INTO temp.linked_api(api, record) SELECT id, record FROM temp.torch_api WHERE record IN (SELECT record FROM temp.torch_link) ORDER BY id;
CREATE VIRTUAL TABLE temp.api_number USING firsts(SELECT api, id - 1 + (SELECT count(*) FROM temp.queue_api) AS number FROM temp.linked_api);
INSERT INTO out.CONNECTION_IDS SELECT id - 1, number FROM temp.queue_api ORDER BY id;
INSERT INTO out.CONNECTION_IDS
SELECT a.id - 1 + (SELECT count(*) FROM temp.queue_api), l.number FROM temp.linked_api a CROSS JOIN temp.torch_link l ON l.record = a.record ORDER BY a.id, l.rowid;

INSERT INTO out.PYTORCH_API
SELECT start_ns, end_ns, pid << 32 | thread_id, NULL, (SELECT id FROM temp.torch_string WHERE value = e.name), NULL, NULL, NULL, NULL, NULL, 50003 FROM temp.python_event e
WHERE EXISTS (SELECT 1 FROM temp.op) OR EXISTS (SELECT 1 FROM temp.queue_api) ORDER BY id;
INSERT INTO out.PYTORCH_API
SELECT start_ns, end_ns, thread, id - 1, peek('queue_string', taken, name), NULL, NULL, NULL, NULL, NULL, 50002 FROM temp.queue_api q ORDER BY taken, id;
INSERT INTO out.PYTORCH_API
SELECT a.start_ns, a.end_ns, a.thread, peek('api_number', a.id), peek('text_string', o.name), o.sequence, o.forward_thread, peek('text_string', coalesce(o.types, -1)),
  peek('text_string', coalesce(o.shapes, -1)), peek('record_chain', o.record), 50001
FROM temp.torch_api a CROSS JOIN temp.op o ON o.id = a.op ORDER BY a.id;
INSERT INTO out.GC_RECORD
SELECT CASE WHEN c.counts THEN CAST((g.start_count - c.first) * c.ratio AS INTEGER) ELSE g.start_count END + c.ns,
  CASE WHEN c.counts THEN CAST((g.end_count - c.first) * c.ratio AS INTEGER) ELSE g.end_count END + c.ns, g.pid << 32 | g.pid FROM temp.host_count c CROSS JOIN temp.garbage g ORDER BY g.rowid;
