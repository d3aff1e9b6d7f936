-- What torch_npu adds to the database of a job about memory. Strings from 2 << 28 on: components first, then operators.
CREATE TEMP TABLE ge_memory(id INTEGER PRIMARY KEY, time_ns INTEGER, size INTEGER, allocated INTEGER, reserved INTEGER, device INTEGER, operator INTEGER, address INTEGER);
INSERT INTO temp.ge_memory SELECT rowid, timestampNs, CASE type WHEN 0 THEN -size ELSE size END, totalAllocate, totalReserve, deviceId, operatorName, addr FROM out.NPU_OP_MEM;
CREATE TEMP TABLE memory_string(id INTEGER PRIMARY KEY, value TEXT UNIQUE NOT NULL);
INSERT INTO temp.memory_string VALUES (536870911, '');
INSERT INTO temp.memory_string(value) SELECT 'GE' FROM temp.ge_memory LIMIT 1;
INSERT INTO temp.memory_string(value)
SELECT CASE WHEN is_workspace THEN 'WORKSPACE' ELSE 'PTA' END FROM (SELECT component = 1 AS is_workspace, min(id) AS first FROM temp.allocation GROUP BY 1) ORDER BY first;
INSERT OR IGNORE INTO temp.memory_string(value) SELECT 'WORKSPACE' FROM temp.memory_string WHERE value <> '' LIMIT 1;
INSERT INTO temp.memory_string(value) SELECT 'PTA+GE' FROM temp.memory_string WHERE value IN ('PTA', 'GE') LIMIT 1;
INSERT OR IGNORE INTO temp.memory_string(value)
SELECT t.text FROM (SELECT coalesce(name, 0) AS name, min(id) AS first FROM temp.block GROUP BY 1) b CROSS JOIN temp.framework_text t ON t.id = b.name ORDER BY b.first;
UPDATE temp.memory_string SET id = 4294967295 WHERE value = '';
CREATE VIRTUAL TABLE temp.block_string USING firsts(
  SELECT t.id, m.id AS string FROM temp.framework_text t CROSS JOIN temp.memory_string m ON m.value = t.text WHERE t.id IN (SELECT coalesce(name, 0) FROM temp.block));
INSERT INTO out.STRING_IDS SELECT id, value FROM temp.memory_string WHERE value <> '' ORDER BY id;

-- What both allocators have in all, after each change.
CREATE TEMP TABLE held(place INTEGER PRIMARY KEY, component INTEGER, time_ns INTEGER, allocated INTEGER, reserved INTEGER, active INTEGER, stream INTEGER, device INTEGER);
INSERT INTO temp.held(component, time_ns, allocated, reserved, active, stream, device)
WITH known AS (
  SELECT max(id) FILTER (WHERE value = 'WORKSPACE') AS workspace, max(id) FILTER (WHERE value = 'PTA') AS pta, max(id) FILTER (WHERE value = 'GE') AS ge FROM temp.memory_string
)
SELECT component, time_ns, allocated, reserved, active, stream, device FROM (
  SELECT CASE WHEN a.component = 1 THEN k.workspace ELSE k.pta END AS component, a.time_ns, a.allocated, a.reserved, a.active, a.stream,
    CASE d.count WHEN 1 THEN d.only ELSE a.device_index END AS device, 0 AS is_ge, a.id
  FROM known k CROSS JOIN (SELECT count(*) AS count, max(device_id) AS only FROM main.device) d CROSS JOIN temp.allocation a
  UNION ALL SELECT k.ge, time_ns, allocated, reserved, 0, NULL, device, 1, id FROM known k CROSS JOIN temp.ge_memory
) ORDER BY time_ns, is_ge, id;
CREATE INDEX temp.held_by_device ON held(device, component, place);
INSERT INTO out.MEMORY_RECORD
WITH known AS (
  SELECT max(id) FILTER (WHERE value = 'WORKSPACE') AS workspace, max(id) FILTER (WHERE value = 'PTA') AS pta, max(id) FILTER (WHERE value = 'GE') AS ge,
    max(id) FILTER (WHERE value = 'PTA+GE') AS both FROM temp.memory_string
)
SELECT CASE WHEN b.column1 THEN k.both ELSE h.component END, h.time_ns,
  h.allocated + CASE WHEN b.column1 THEN coalesce(o.allocated, 0) ELSE 0 END, h.reserved + CASE WHEN b.column1 THEN coalesce(o.reserved, 0) ELSE 0 END,
  h.active + CASE WHEN b.column1 THEN coalesce(o.active, 0) ELSE 0 END, CASE WHEN b.column1 AND o.place AND NOT coalesce(h.stream, 0) THEN o.stream ELSE h.stream END, h.device
FROM known k CROSS JOIN temp.held h LEFT JOIN temp.held o ON o.place = CASE WHEN k.ge THEN
  (SELECT max(place) FROM temp.held o WHERE o.device = h.device AND o.component = CASE h.component WHEN k.ge THEN k.pta ELSE k.ge END AND o.place < h.place) END
CROSS JOIN (VALUES (0), (1)) b WHERE NOT (b.column1 AND h.component IS k.workspace) ORDER BY h.place, b.column1;

INSERT INTO out.OP_MEMORY
SELECT peek('block_string', coalesce(b.name, 0)), a.size, a.time_ns, r.time_ns, f.time_ns, r.time_ns - a.time_ns, f.time_ns - a.time_ns,
  a.allocated, a.reserved, a.active, l.allocated, l.reserved, l.active, a.stream, CASE d.count WHEN 1 THEN d.only ELSE a.device_index END
FROM (SELECT count(*) AS count, max(device_id) AS only FROM main.device) d CROSS JOIN temp.block b CROSS JOIN temp.allocation a ON a.id = b.allocated_id
LEFT JOIN temp.allocation r ON r.id = b.released_id LEFT JOIN temp.allocation f ON f.id = b.freed_id
LEFT JOIN temp.allocation l ON l.id = coalesce(b.released_id, b.freed_id) ORDER BY b.id;
-- A release ends the last allocation before it of its operator and address; those that none ends come last, in the order of the first of them.
INSERT INTO out.OP_MEMORY
WITH event AS (
  SELECT *, count(*) FILTER (WHERE size < 0) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS turn, lag(id) OVER w AS before, lag(size) OVER w AS size_before
  FROM temp.ge_memory WHERE size <> 0 WINDOW w AS (PARTITION BY operator, address, device ORDER BY id)
), kept AS (
  SELECT max(id) AS id, min(id) AS first FROM event e GROUP BY operator, address, device, turn HAVING max(size < 0) = 0
)
SELECT operator, size, time_ns, released_ns, NULL, released_ns - time_ns, NULL, allocated, reserved, NULL, last_allocated, last_reserved, NULL, NULL, device FROM (
  SELECT 0 AS part, e.id, a.operator, a.size, a.time_ns, e.time_ns AS released_ns, a.allocated, a.reserved, e.allocated AS last_allocated, e.reserved AS last_reserved, a.device
  FROM event e CROSS JOIN temp.ge_memory a ON a.id = e.before WHERE e.size < 0 AND e.size_before > 0
  UNION ALL SELECT 1, l.first, a.operator, a.size, a.time_ns, NULL, a.allocated, a.reserved, NULL, NULL, a.device FROM kept l CROSS JOIN temp.ge_memory a ON a.id = l.id
) ORDER BY part, id;
