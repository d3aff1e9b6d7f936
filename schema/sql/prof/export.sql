-- The database that tools of this generation read: "out" is the new one, "main" is msprof.db. Strings are numbers of
-- STRING_IDS; times are ns of the day. Names of their tables differ by case alone, so all are qualified. Rows for each task, call and
-- stretch are made without SQLite, see docs/SCHEMA.md: what their statements join are small tables and maps.

CREATE TABLE out.AICORE_FREQ (deviceId INTEGER, timestampNs NUMERIC, freq INTEGER, dieId NUMERIC);
CREATE TABLE out.CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY, name INTEGER);
CREATE TABLE out.COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockNum INTEGER, mixBlockNum INTEGER, taskType INTEGER, opType INTEGER, inputFormats INTEGER, inputDataTypes INTEGER, inputShapes INTEGER, outputFormats INTEGER, outputDataTypes INTEGER, outputShapes INTEGER, attrInfo INTEGER, opState INTEGER, hf32Eligible INTEGER, gridDim INTEGER, blockDim INTEGER);
CREATE TABLE out.HOST_INFO (hostUid TEXT, hostName TEXT);
CREATE TABLE out.MSTX_EVENTS (startNs INTEGER, endNs INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER, message INTEGER, globalTid INTEGER, endGlobalTid INTEGER, domainId INTEGER, connectionId INTEGER);
CREATE TABLE out.NPU_INFO (id INTEGER, name TEXT);
CREATE TABLE out.OVERLAP_ANALYSIS (id INTEGER PRIMARY KEY, deviceId INTEGER, startNs NUMERIC, endNs NUMERIC, type INTEGER);
CREATE TABLE out.RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER);
CREATE TABLE out.SESSION_TIME_INFO (startTimeNs INTEGER, endTimeNs INTEGER);
CREATE TABLE out.STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE out.TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);
CREATE TABLE out.TASK_PMU_INFO (globalTaskId INTEGER, name INTEGER, value NUMERIC);

CREATE TABLE out.ENUM_API_TYPE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_API_TYPE VALUES
  (5000, 'runtime'), (5500, 'communication'), (10000, 'node'), (15000, 'model'), (20000, 'acl');
CREATE TABLE out.ENUM_HCCL_DATA_TYPE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_HCCL_DATA_TYPE SELECT kind, name FROM main.hccl_kind WHERE what = 'data';
CREATE TABLE out.ENUM_HCCL_LINK_TYPE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_HCCL_LINK_TYPE SELECT kind, name FROM main.hccl_kind WHERE what = 'link';
CREATE TABLE out.ENUM_HCCL_RDMA_TYPE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_HCCL_RDMA_TYPE SELECT kind, name FROM main.hccl_kind WHERE what = 'rdma';
CREATE TABLE out.ENUM_HCCL_TRANSPORT_TYPE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_HCCL_TRANSPORT_TYPE SELECT kind, name FROM main.hccl_kind WHERE what = 'transport';
CREATE TABLE out.ENUM_MEMCPY_OPERATION (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_MEMCPY_OPERATION SELECT kind, name FROM main.copy_kind UNION ALL SELECT 65535, 'other';
CREATE TABLE out.ENUM_MODULE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_MODULE SELECT module, name FROM main.module;
CREATE TABLE out.ENUM_MSTX_EVENT_TYPE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_MSTX_EVENT_TYPE VALUES
  (0, 'marker'), (1, 'push/pop'), (2, 'start/end'), (3, 'marker_ex');
CREATE TABLE out.ENUM_OVERLAP_ANALYSIS_TYPE (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO out.ENUM_OVERLAP_ANALYSIS_TYPE VALUES
  (0, 'COMPUTE'), (1, 'COMMUNICATION'), (2, 'COMM_NOT_OVERLAP_COMP'), (3, 'FREE'), (65535, 'RESERVE');
CREATE TABLE out.META_DATA (name TEXT, value TEXT);
INSERT INTO out.META_DATA VALUES
  ('SCHEMA_VERSION_MICRO', '0'), ('SCHEMA_VERSION_MINOR', '2'), ('SCHEMA_VERSION_MAJOR', '1'),
  ('SCHEMA_VERSION', '1.2.0');

CREATE TEMP TABLE moment AS
SELECT (SELECT value FROM main.meta WHERE key = 'wall_offset_ns') AS wall, (SELECT value FROM main.meta WHERE key = 'pid') AS pid;
-- How many rows to expect, for the line of progress.
CREATE TEMP TABLE work AS
SELECT CAST(coalesce((SELECT max(connection_id) FROM main.api), 0) + coalesce((SELECT max(id) FROM main.task), 0) * (3 + 1.75 * (SELECT count(*) FROM main.counter)
  / (SELECT max(1, count(DISTINCT device_id)) FROM main.counter)) AS INTEGER) AS rows;
CREATE TEMP TABLE string(id INTEGER PRIMARY KEY, value TEXT UNIQUE NOT NULL);
INSERT INTO temp.string VALUES (0, 'release'), (1, 'allocate');
INSERT OR IGNORE INTO temp.string(value) SELECT DISTINCT name FROM main.qos_sample WHERE name IS NOT NULL;
CREATE TEMP TABLE mark AS
SELECT start_ns, dur_ns, event_type, category, coalesce(message, '') AS message, tid, '' AS domain, 4000000000 AS connection_id FROM main.msproftx WHERE info_type IS NOT 1
UNION ALL
SELECT start_ns, dur_ns, event_type, 4294967295, coalesce(message, ''), tid, domain, mark_id + 4000000000 FROM main.stream_mark;
DELETE FROM temp.mark WHERE start_ns < (SELECT value FROM main.meta WHERE key = 'begin_ns');
INSERT OR IGNORE INTO temp.string(value) SELECT message FROM temp.mark UNION ALL SELECT domain FROM temp.mark;

INSERT INTO out.MSTX_EVENTS
SELECT x.start_ns + m.wall, x.start_ns + x.dur_ns + m.wall, x.event_type, 4294967295, x.category,
  (SELECT id FROM temp.string WHERE value = x.message), m.pid << 32 | x.tid, m.pid << 32 | x.tid, (SELECT id FROM temp.string WHERE value = x.domain), x.connection_id
FROM temp.mark x CROSS JOIN temp.moment m ORDER BY x.rowid;

INSERT INTO out.SESSION_TIME_INFO
SELECT (SELECT value FROM main.meta WHERE key = 'begin_ns') + wall, coalesce((SELECT value FROM main.meta WHERE key = 'end_ns'),
  (SELECT value FROM main.meta WHERE key = 'begin_ns') + 1800000000000) + wall FROM temp.moment;
INSERT INTO out.HOST_INFO
SELECT json_extract(text, '$.hostUid'), json_extract(text, '$.hostname') FROM main.control
WHERE name = 'info.json' AND text IS NOT NULL ORDER BY device_id IS NOT NULL LIMIT 1;
INSERT INTO out.NPU_INFO
SELECT s.device_id, coalesce(c.name, 'UNKNOWN') FROM main.setting s LEFT JOIN main.chip c ON c.chip = s.chip
WHERE EXISTS (SELECT 1 FROM main.control i WHERE i.name = 'info.json' AND i.device_id = s.device_id AND i.text IS NOT NULL);
-- whoever trains fills in the rank
INSERT INTO out.RANK_DEVICE_MAP SELECT -1, device_id FROM main.device;
INSERT INTO out.RANK_DEVICE_MAP SELECT -1, -1 WHERE NOT EXISTS (SELECT 1 FROM main.device);

-- A call bears the name of its type, one of the level of communication that of its item.
CREATE TEMP TABLE call_item(item_id INTEGER);
-- @when EXISTS (SELECT 1 FROM main.call_kind WHERE id >> 32 = 5500)
INSERT INTO temp.call_item SELECT DISTINCT item_id FROM main.api WHERE level = 5500;
-- @end
CREATE TEMP TABLE call_name AS
SELECT id, NULL AS item_id, name FROM main.call_kind WHERE id >> 32 <> 5500
UNION ALL SELECT NULL, item_id, coalesce((SELECT name FROM main.name n WHERE n.hash = item_id), printf('%u', item_id)) FROM temp.call_item;
INSERT OR IGNORE INTO temp.string(value) SELECT name FROM temp.call_name;
CREATE TEMP TABLE call_string(id INTEGER PRIMARY KEY, string INTEGER);
INSERT INTO temp.call_string SELECT c.id, s.id FROM temp.call_name c JOIN temp.string s ON s.value = c.name WHERE c.id IS NOT NULL;
CREATE TEMP TABLE item_string(id INTEGER PRIMARY KEY, string INTEGER);
INSERT INTO temp.item_string SELECT c.item_id, s.id FROM temp.call_name c JOIN temp.string s ON s.value = c.name WHERE c.item_id IS NOT NULL;
INSERT INTO out.CANN_API
SELECT a.start_ns + m.wall, a.start_ns + a.dur_ns + m.wall, coalesce(word('level', 'number', a.level), a.level), m.pid << 32 | a.thread_id, a.connection_id,
  CASE a.level WHEN 5500 THEN word('item_string', 'string', a.item_id) ELSE word('call_string', 'string', a.level << 32 | a.type) END
FROM main.api a CROSS JOIN temp.moment m ORDER BY a.connection_id;

-- What is said of tasks, each combination once; ran: of a task that ran.
CREATE TEMP TABLE said(
  ran INTEGER, is_op INTEGER, host_type INTEGER, node_type INTEGER, device_type INTEGER, op_name INTEGER, op_type INTEGER, op_flag INTEGER, op_state INTEGER
);
INSERT INTO temp.said
SELECT DISTINCT start_ns IS NOT NULL, is_op, host_type, node_type, device_type, op_name, op_type, op_flag, op_state FROM main.task;

-- The host says the type of a task; where it says nothing, or FFTS_PLUS, the device does.
CREATE TEMP TABLE kind AS
SELECT host_type, node_type, device_type,
  coalesce(nullif(coalesce((SELECT name FROM main.host_kind h WHERE h.kind = t.host_type), (SELECT name FROM main.name n WHERE n.hash = t.host_type),
      nullif(printf('%u', t.host_type), '0')), 'FFTS_PLUS'),
    (SELECT name FROM main.task_kind k WHERE k.kind = t.device_type), (SELECT name FROM main.subtask_kind k WHERE k.kind = t.device_type - 256),
    CAST(t.device_type AS TEXT)) AS task,
  coalesce((SELECT name FROM main.node_kind k WHERE k.kind = t.node_type), CAST(t.node_type AS TEXT), 'N/A') AS node, ran, is_op
FROM (SELECT host_type, node_type, device_type, max(ran) AS ran, max(is_op) AS is_op FROM temp.said GROUP BY host_type, node_type, device_type) t;
INSERT OR IGNORE INTO temp.string(value) SELECT task FROM temp.kind WHERE ran;
-- A map has no NULL as a key: the first key tells it from 0.
CREATE VIRTUAL TABLE temp.task_string USING firsts(
  SELECT (k.host_type IS NULL) + 2 * (k.device_type IS NULL) AS missing, k.host_type, k.device_type, s.id AS string
  FROM temp.kind k CROSS JOIN temp.string s ON s.value = k.task ORDER BY k.rowid);
INSERT INTO out.TASK
SELECT t.start_ns + m.wall, t.start_ns + t.dur_ns + m.wall, t.device_id, coalesce(t.connection_id, 0 - (t.launch_ns IS NULL)), coalesce(t.key_id, t.id) - 1, m.pid,
  peek('task_string', (t.host_type IS NULL) + 2 * (t.device_type IS NULL), t.host_type, t.device_type), t.context_id, t.stream_id, t.task_id, t.model_id
FROM main.task t CROSS JOIN temp.moment m WHERE t.start_ns IS NOT NULL ORDER BY t.id;
CREATE INDEX out.TaskIndex ON TASK (startNs,globalTaskId);

-- Operators: each task once, though it ran several times, or never.
INSERT OR IGNORE INTO temp.string(value) SELECT column1 FROM (VALUES (''), ('N/A')) WHERE EXISTS (SELECT 1 FROM temp.kind WHERE is_op);
INSERT OR IGNORE INTO temp.string(value) SELECT DISTINCT CASE op_state WHEN 0 THEN 'static' WHEN 1 THEN 'dynamic' ELSE 'N/A' END FROM temp.said WHERE is_op;
INSERT OR IGNORE INTO temp.string(value) SELECT DISTINCT CASE WHEN op_flag THEN 'YES' WHEN op_flag = 0 THEN 'NO' ELSE 'N/A' END FROM temp.said WHERE is_op;
INSERT OR IGNORE INTO temp.string(value) SELECT node FROM temp.kind WHERE is_op;
CREATE TEMP TABLE named AS
SELECT hash, coalesce((SELECT name FROM main.name n WHERE n.hash = h.hash), printf('%u', hash)) AS name
FROM (SELECT op_name AS hash FROM temp.said WHERE is_op AND op_name IS NOT NULL UNION SELECT op_type FROM temp.said WHERE is_op AND op_type IS NOT NULL) h;
-- At level 0 operators have no attributes.
CREATE TEMP VIEW attribute AS
SELECT connection_id, attr FROM main.node_attr WHERE (SELECT coalesce(max(value), 0) FROM main.meta WHERE key = 'level0') = 0;
INSERT OR IGNORE INTO temp.named SELECT DISTINCT attr, coalesce((SELECT name FROM main.name n WHERE n.hash = a.attr), printf('%u', attr)) FROM temp.attribute a
WHERE attr NOT IN (SELECT hash FROM temp.named);
INSERT OR IGNORE INTO temp.string(value) SELECT name FROM temp.named;
CREATE UNIQUE INDEX temp.named_by_hash ON named(hash);
-- @when EXISTS (SELECT 1 FROM temp.said WHERE is_op) AND (SELECT coalesce(max(value), 0) FROM main.meta WHERE key = 'level0') = 0
-- not those of operators that the tables leave out
CREATE TEMP VIEW shown_tensor AS
SELECT * FROM main.tensor WHERE NOT EXISTS (SELECT 1 FROM main.named_part) OR id IN (SELECT tensor_id FROM main.task WHERE is_op);
INSERT OR IGNORE INTO temp.string(value)
SELECT input_shapes FROM temp.shown_tensor WHERE input_shapes IS NOT NULL UNION SELECT input_types FROM temp.shown_tensor WHERE input_types IS NOT NULL
UNION SELECT input_formats FROM temp.shown_tensor WHERE input_formats IS NOT NULL UNION SELECT output_shapes FROM temp.shown_tensor WHERE output_shapes IS NOT NULL
UNION SELECT output_types FROM temp.shown_tensor WHERE output_types IS NOT NULL UNION SELECT output_formats FROM temp.shown_tensor WHERE output_formats IS NOT NULL;
DROP VIEW temp.shown_tensor;
-- @end
CREATE TEMP TABLE named_string(hash INTEGER PRIMARY KEY, string INTEGER);
INSERT INTO temp.named_string SELECT n.hash, s.id FROM temp.named n JOIN temp.string s ON s.value = n.name;
CREATE VIRTUAL TABLE temp.node_string USING firsts(
  SELECT k.node_type IS NULL AS missing, k.node_type, s.id AS string FROM temp.kind k CROSS JOIN temp.string s ON s.value = k.node ORDER BY k.rowid);
CREATE VIRTUAL TABLE temp.attr_string USING firsts(
  SELECT a.connection_id, n.string FROM temp.attribute a CROSS JOIN temp.named_string n ON n.hash = a.attr);
CREATE TEMP TABLE tensor_string(
  id INTEGER PRIMARY KEY, input_formats INTEGER, input_types INTEGER, input_shapes INTEGER, output_formats INTEGER, output_types INTEGER,
  output_shapes INTEGER
);
INSERT INTO temp.tensor_string
SELECT id, (SELECT id FROM temp.string WHERE value = x.input_formats), (SELECT id FROM temp.string WHERE value = x.input_types),
  (SELECT id FROM temp.string WHERE value = x.input_shapes), (SELECT id FROM temp.string WHERE value = x.output_formats),
  (SELECT id FROM temp.string WHERE value = x.output_types), (SELECT id FROM temp.string WHERE value = x.output_shapes)
FROM main.tensor x;
CREATE TEMP TABLE fixed AS
SELECT max(id) FILTER (WHERE value = '') AS none, max(id) FILTER (WHERE value = 'static') AS static, max(id) FILTER (WHERE value = 'dynamic') AS dynamic,
  max(id) FILTER (WHERE value = 'NO') AS no, max(id) FILTER (WHERE value = 'YES') AS yes, max(id) FILTER (WHERE value = 'N/A') AS na
FROM temp.string WHERE value IN ('', 'static', 'dynamic', 'NO', 'YES', 'N/A');
INSERT INTO out.COMPUTE_TASK_INFO
SELECT word('named_string', 'string', t.op_name), t.id - 1, coalesce(t.block_num, 0), coalesce(t.mix_num, 0),
  peek('node_string', t.node_type IS NULL, t.node_type), coalesce(word('named_string', 'string', t.op_type), f.na),
  coalesce(word('tensor_string', 'input_formats', t.tensor_id), f.na), coalesce(word('tensor_string', 'input_types', t.tensor_id), f.na),
  coalesce(word('tensor_string', 'input_shapes', t.tensor_id), f.na), coalesce(word('tensor_string', 'output_formats', t.tensor_id), f.na),
  coalesce(word('tensor_string', 'output_types', t.tensor_id), f.na), coalesce(word('tensor_string', 'output_shapes', t.tensor_id), f.na),
  coalesce(peek('attr_string', t.connection_id), f.none), CASE t.op_state WHEN 0 THEN f.static WHEN 1 THEN f.dynamic ELSE f.na END,
  CASE WHEN t.op_flag THEN f.yes WHEN t.op_flag = 0 THEN f.no ELSE f.na END, f.na, f.na
FROM main.task t CROSS JOIN temp.fixed f WHERE t.is_op AND t.key_id IS NULL ORDER BY t.id;
-- Kernels of the AI CPU that run collective operations are in a table of their own.
CREATE TABLE out.COMMUNICATION_SCHEDULE_TASK_INFO (name INTEGER, globalTaskId INTEGER PRIMARY KEY, taskType INTEGER, opType INTEGER);
-- @when EXISTS (SELECT 1 FROM main.mc2_comm_info) OR EXISTS (SELECT 1 FROM main.name WHERE name GLOB '*AicpuKernel')
INSERT INTO out.COMMUNICATION_SCHEDULE_TASK_INFO
SELECT i.name, i.globalTaskId, i.taskType, i.opType FROM out.COMPUTE_TASK_INFO i CROSS JOIN main.task t ON t.id = i.globalTaskId + 1
WHERE t.stream_id IN (SELECT stream_id FROM main.mc2_comm_info) OR t.op_name IN (SELECT hash FROM main.name WHERE name GLOB '*AicpuKernel');
DELETE FROM out.COMPUTE_TASK_INFO WHERE globalTaskId IN (SELECT globalTaskId FROM out.COMMUNICATION_SCHEDULE_TASK_INFO);
-- @end

-- Metrics: times in ns, ratios, cycles, GB/s. Each run of a core has the measures of its device (core_metric). Where cores have
-- both units, one core stands for both.
CREATE TEMP TABLE part AS
SELECT device_id, core, CASE kind WHEN 'two' THEN core || '_' ELSE '' END AS prefix, kind, place, name, what, weight, position, per_position, row
FROM main.core_metric m WHERE (kind = 'two' OR core = 'aic')
  AND NOT EXISTS (SELECT 1 FROM main.setting s JOIN main.chip c ON c.chip = s.chip WHERE s.device_id = m.device_id AND NOT c.stars);
CREATE INDEX temp.part_by_place ON part(device_id, core, place);
CREATE TEMP TABLE measure AS
WITH one AS (
  SELECT device_id, core, prefix, place, name, what, min(weight) AS weight, min(position) AS position, min(per_position) AS per, count(*) > 1 AS several,
    min(row) AS row
  FROM temp.part GROUP BY device_id, core, place
)
SELECT DISTINCT device_id, core, 'time' AS kind, prefix || 'total_time' AS title, NULL AS place, NULL AS weight, NULL AS position, NULL AS per, 0 AS several, 0 AS per_cycle, 0 AS back
  FROM one
UNION ALL SELECT DISTINCT device_id, core, 'cycles', prefix || 'total_cycles', NULL, NULL, NULL, NULL, 0, 0, 0 FROM one
UNION ALL SELECT device_id, core, 'pipe', prefix || name || '_time', place, weight, position, per, several, 1, 0 FROM one WHERE what = 'pipe'
UNION ALL SELECT device_id, core, 'ratio', prefix || name || CASE what WHEN 'pipe' THEN '_ratio' ELSE '' END, place, weight, position, per, several, 1, 0
  FROM one WHERE what IN ('pipe', 'ratio')
UNION ALL SELECT device_id, core, what, prefix || name, place, weight, position, per, several, what = 'rate' OR what = 'work' AND prefix = '',
  what = 'work' AND prefix = '' FROM one WHERE what NOT IN ('pipe', 'ratio'); -- cores with both units: work is a ratio times the cycles
-- A measure adds up six events at most: numbers of counters, those of aiv from 10 on; unit: 0 aic, 1 aiv; by: 0 by nothing, 1 + unit by cycles;
-- back: the same, times cycles.
CREATE TEMP TABLE weighed AS
SELECT device_id, core, place, weight, position + 10 * (core = 'aiv') AS event, row_number() OVER (PARTITION BY device_id, core, place ORDER BY rowid) AS n
FROM temp.part;
CREATE INDEX temp.weighed_by_place ON weighed(device_id, core, place, n);
INSERT OR IGNORE INTO temp.string(value) SELECT title FROM temp.measure
WHERE EXISTS (SELECT 1 FROM main.task WHERE start_ns IS NOT NULL AND (aic_cycles IS NOT NULL OR aiv_cycles IS NOT NULL));
CREATE TEMP TABLE counted(
  device_id INTEGER, unit INTEGER, by INTEGER, back INTEGER, kind TEXT, title INTEGER, mhz INTEGER, per INTEGER,
  weight1 REAL, event1 INTEGER, weight2 REAL, event2 INTEGER, weight3 REAL, event3 INTEGER, weight4 REAL, event4 INTEGER,
  weight5 REAL, event5 INTEGER, weight6 REAL, event6 INTEGER
);
INSERT INTO temp.counted
SELECT m.device_id, m.core = 'aiv', m.per_cycle * (1 + (m.core = 'aiv')), m.back * (1 + (m.core = 'aiv')), m.kind, (SELECT id FROM temp.string WHERE value = m.title),
  (SELECT mhz FROM main.setting s WHERE s.device_id = m.device_id), m.per + 10 * (m.core = 'aiv'),
  a.weight, a.event, b.weight, b.event, c.weight, c.event, d.weight, d.event, e.weight, e.event, f.weight, f.event
FROM temp.measure m
LEFT JOIN temp.weighed a ON a.device_id = m.device_id AND a.core = m.core AND a.place = m.place AND a.n = 1
LEFT JOIN temp.weighed b ON b.device_id = m.device_id AND b.core = m.core AND b.place = m.place AND b.n = 2
LEFT JOIN temp.weighed c ON c.device_id = m.device_id AND c.core = m.core AND c.place = m.place AND c.n = 3
LEFT JOIN temp.weighed d ON d.device_id = m.device_id AND d.core = m.core AND d.place = m.place AND d.n = 4
LEFT JOIN temp.weighed e ON e.device_id = m.device_id AND e.core = m.core AND e.place = m.place AND e.n = 5
LEFT JOIN temp.weighed f ON f.device_id = m.device_id AND f.core = m.core AND f.place = m.place AND f.n = 6
WHERE m.core IN ('aic', 'aiv') ORDER BY m.device_id, m.core, m.rowid;
CREATE INDEX temp.counted_by_device ON counted(device_id);
INSERT INTO out.TASK_PMU_INFO
WITH value AS (
  SELECT t.id, k.title, k.kind, k.mhz, coalesce(pick(k.unit, t.aic_us, t.aiv_us), 0) AS us, coalesce(pick(k.unit, t.aic_cycles, t.aiv_cycles), 0) AS cycles,
    coalesce(k.weight1 * pick(k.event1, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
      t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) / nullif(pick(k.by, 1, t.aic_cycles, t.aiv_cycles), 0)
      * pick(k.back, 1, t.aic_cycles, t.aiv_cycles), 0)
    + coalesce(k.weight2 * pick(k.event2, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
      t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) / nullif(pick(k.by, 1, t.aic_cycles, t.aiv_cycles), 0)
      * pick(k.back, 1, t.aic_cycles, t.aiv_cycles), 0)
    + coalesce(k.weight3 * pick(k.event3, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
      t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) / nullif(pick(k.by, 1, t.aic_cycles, t.aiv_cycles), 0)
      * pick(k.back, 1, t.aic_cycles, t.aiv_cycles), 0)
    + coalesce(k.weight4 * pick(k.event4, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
      t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) / nullif(pick(k.by, 1, t.aic_cycles, t.aiv_cycles), 0)
      * pick(k.back, 1, t.aic_cycles, t.aiv_cycles), 0)
    + coalesce(k.weight5 * pick(k.event5, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
      t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) / nullif(pick(k.by, 1, t.aic_cycles, t.aiv_cycles), 0)
      * pick(k.back, 1, t.aic_cycles, t.aiv_cycles), 0)
    + coalesce(k.weight6 * pick(k.event6, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
      t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) / nullif(pick(k.by, 1, t.aic_cycles, t.aiv_cycles), 0)
      * pick(k.back, 1, t.aic_cycles, t.aiv_cycles), 0) AS sum,
    1.0 * pick(k.per, t.aic_pmu0, t.aic_pmu1, t.aic_pmu2, t.aic_pmu3, t.aic_pmu4, t.aic_pmu5, t.aic_pmu6, t.aic_pmu7, t.aic_pmu8, t.aic_pmu9,
      t.aiv_pmu0, t.aiv_pmu1, t.aiv_pmu2, t.aiv_pmu3, t.aiv_pmu4, t.aiv_pmu5, t.aiv_pmu6, t.aiv_pmu7, t.aiv_pmu8, t.aiv_pmu9) / nullif(pick(k.unit, t.aic_cycles, t.aiv_cycles), 0) AS per
  FROM main.task t CROSS JOIN temp.counted k ON k.device_id = t.device_id
  WHERE t.start_ns IS NOT NULL AND (t.aic_cycles IS NOT NULL OR t.aiv_cycles IS NOT NULL)
)
SELECT id - 1, title, CASE kind WHEN 'time' THEN us * 1000 WHEN 'cycles' THEN cycles WHEN 'pipe' THEN us * sum * 1000
  WHEN 'rate' THEN coalesce(sum / nullif(per, 0), 0) WHEN 'bandwidth' THEN coalesce(sum / (nullif(cycles, 0) / (mhz * 1e6)) / 8589934592.0, 0) ELSE sum END
FROM value;

-- Stretches in order of device, kind and start. The free time before a stretch that says it is a stretch of kind 3.
CREATE TEMP TABLE stretch_seen(device_id INTEGER, kind INTEGER, is_after_gap INTEGER);
INSERT INTO temp.stretch_seen SELECT DISTINCT device_id, kind, free_ns > 0 FROM main.overlap;
CREATE TEMP TABLE stretch(device_id INTEGER, kind INTEGER);
INSERT INTO temp.stretch SELECT device_id, kind FROM temp.stretch_seen UNION SELECT device_id, 3 FROM temp.stretch_seen WHERE is_after_gap ORDER BY 1, 2;
INSERT INTO out.OVERLAP_ANALYSIS
SELECT row_number() OVER () - 1, o.device_id, CASE WHEN s.kind = 3 AND o.kind <> 3 THEN o.start_ns - o.free_ns ELSE o.start_ns END + m.wall,
  CASE WHEN s.kind = 3 AND o.kind <> 3 THEN o.start_ns ELSE o.end_ns END + m.wall, s.kind
FROM temp.stretch s CROSS JOIN temp.moment m CROSS JOIN main.overlap o
WHERE CASE WHEN o.device_id = s.device_id THEN o.kind = s.kind OR (s.kind = 3 AND o.free_ns > 0) END;
INSERT INTO out.AICORE_FREQ
SELECT p.device_id, p.time_ns + m.wall, p.mhz, -1 FROM main.frequency_point p CROSS JOIN temp.moment m
WHERE p.device_id IN (SELECT s.device_id FROM main.setting s LEFT JOIN main.chip c ON c.chip = s.chip WHERE coalesce(c.curve, 2) > 0) ORDER BY p.device_id, p.number;
-- Of chips of version 6 what the power unit samples of each die; numbers of samples are swapped in pairs.
INSERT INTO out.AICORE_FREQ
SELECT s.device_id, x.time_ns + m.wall, number_at(x.samples, 22, 2), x.die_id
FROM main.source s CROSS JOIN main.low_power x CROSS JOIN temp.moment m JOIN main.setting c ON c.device_id = s.device_id
WHERE s.target = 'low_power' AND x.rowid BETWEEN s.first_row AND s.last_row AND x.die_id < 2 AND c.chip IN (15, 16) ORDER BY s.device_id, x.time_ns, x.rowid;

-- Collective operations and their steps, with bytes a second. What is not said is -1 or N/A.
CREATE TABLE out.COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER, opId INTEGER PRIMARY KEY, relay INTEGER, retry INTEGER, dataType INTEGER, algType INTEGER, count NUMERIC, opType INTEGER, deviceId INTEGER, rankSize INTEGER);
CREATE TABLE out.COMMUNICATION_TASK_INFO (name INTEGER, globalTaskId INTEGER, taskType INTEGER, planeId INTEGER, groupName INTEGER, notifyId INTEGER, rdmaType INTEGER, srcRank INTEGER, dstRank INTEGER, transportType INTEGER, size INTEGER, dataType INTEGER, linkType INTEGER, opId INTEGER, isMaster INTEGER, bandwidth NUMERIC);
CREATE INDEX out.CommunicationTaskIndex ON COMMUNICATION_TASK_INFO (globalTaskId);
CREATE TEMP TABLE word AS
SELECT hash, coalesce((SELECT name FROM main.name n WHERE n.hash = h.hash), printf('%u', hash)) AS name
FROM (SELECT op_type AS hash FROM main.comm_op UNION SELECT group_name FROM main.comm_op UNION SELECT step_group FROM main.comm_op
  UNION SELECT alg_type FROM main.comm_op UNION SELECT h.item_id FROM main.comm_task c CROSS JOIN main.hccl_info h ON h.rowid = c.info_row
  UNION SELECT operator FROM main.task_memory_info) h WHERE hash IS NOT NULL;
CREATE UNIQUE INDEX temp.word_by_hash ON word(hash);
INSERT OR IGNORE INTO temp.string(value) SELECT name FROM temp.word UNION SELECT name FROM main.comm_op UNION SELECT 'N/A' FROM main.comm_op
  UNION SELECT w.name || ' Aicpu' FROM main.comm_op o JOIN temp.word w ON w.hash = o.step_group WHERE o.on_aicpu;
CREATE TEMP TABLE word_id AS SELECT w.hash, s.id FROM temp.word w JOIN temp.string s ON s.value = w.name;
CREATE UNIQUE INDEX temp.word_id_by_hash ON word_id(hash);
INSERT INTO out.COMMUNICATION_OP
SELECT (SELECT id FROM temp.string WHERE value = o.name), o.start_ns + m.wall, o.end_ns + m.wall, o.connection_id,
  (SELECT id FROM temp.string WHERE value = coalesce((SELECT name FROM temp.word WHERE hash = o.group_name), 'N/A') || iif(o.on_aicpu, ' Aicpu', '')), o.id - 1,
  coalesce(o.relay, -1), coalesce(o.retry, -1), coalesce(o.data_type, 65534),
  (SELECT id FROM temp.string WHERE value = coalesce((SELECT name FROM temp.word WHERE hash = o.alg_type), 'N/A')), coalesce(o.count, -1),
  (SELECT id FROM temp.string WHERE value = coalesce((SELECT name FROM temp.word WHERE hash = o.op_type), 'N/A')), o.device_id, o.rank_size
FROM main.comm_op o CROSS JOIN temp.moment m WHERE o.start_ns IS NOT NULL ORDER BY o.id;
INSERT INTO out.COMMUNICATION_TASK_INFO
SELECT (SELECT id FROM temp.string WHERE value = o.name), c.id - 1,
  (SELECT id FROM temp.string WHERE value = coalesce((SELECT name FROM temp.word WHERE hash = h.item_id), 'N/A')), coalesce(h.plane_id, iif(c.on_aicpu, -1, 4294967295)),
  (SELECT id FROM temp.string WHERE value = coalesce((SELECT name FROM temp.word WHERE hash = o.step_group), 'N/A') || iif(o.on_aicpu, ' Aicpu', '')), coalesce(h.notify_id, -1),
  coalesce(min(h.rdma_type, 65535), 65534), coalesce(h.local_rank, 4294967295), coalesce(h.remote_rank, 4294967295), coalesce(min(h.transport_type, 65535), 65534),
  coalesce(h.size, -1), coalesce(min(h.data_type, 65535), 65534), coalesce(min(h.link_type, 65535), 65534), c.op_id - 1, c.is_master, c.bandwidth * 1000 * 1000 * 1000
FROM main.comm_task c CROSS JOIN main.comm_op o ON o.id = c.op_id LEFT JOIN main.hccl_info h ON h.rowid = c.info_row
ORDER BY c.id;
CREATE TABLE out.MEMCPY_INFO (globalTaskId NUMERIC PRIMARY KEY, size NUMERIC, memcpyOperation NUMERIC);
INSERT INTO out.MEMCPY_INFO SELECT coalesce(t.key_id, t.id) - 1, c.bytes, c.direction
FROM main.task_copy c CROSS JOIN main.task t ON t.id = c.id WHERE t.key_id IS NULL AND EXISTS (SELECT 1 FROM main.memcpy_info);
