-- @family prof
-- @style any
-- @form object
-- @file communication_matrix
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.communication_matrix)
-- @use pytorch_steps
-- @rows
, matrix AS MATERIALIZED (
  SELECT m.rowid AS place, m.key, m.json, CASE WHEN EXISTS (SELECT 1 FROM comm_step WHERE id IS NOT NULL)
    THEN (SELECT id FROM comm_step c WHERE c.key = m.key) ELSE -1 END AS id
  FROM temp.communication_matrix m
), word AS (
  SELECT m.place, w.column2 AS word, row_number() OVER (PARTITION BY m.place ORDER BY instr(lower(m.key), w.column2), w.column1) AS n
  FROM matrix m CROSS JOIN (VALUES (1, 'send'), (2, 'reduce'), (3, 'invalid'), (4, 'broadcast'), (5, 'allreduce'), (6, 'receive'), (7, 'allgather'), (8, 'reducescatter'),
    (9, 'scatter'), (10, 'alltoall'), (11, 'batchsendrecv')) w WHERE instr(lower(m.key), w.column2)
), named AS (
  SELECT *, CASE WHEN lower(key) GLOB 'hcom_send*' OR lower(key) GLOB 'hcom_receive*' OR lower(key) GLOB 'hcom_batchsendrecv*' THEN 'p2p' ELSE 'collective' END AS kind,
    coalesce((SELECT word FROM word w WHERE w.place = matrix.place AND w.n = 1),
      CASE WHEN instr(key, '__') THEN substr(key, 1, instr(key, '__') - 1) ELSE key END) AS type,
    substr(key, length(rtrim(key, replace(key, '@', ''))) + 1) AS step_group, CASE WHEN instr(key, '@') THEN substr(key, 1, instr(key, '@') - 1) ELSE key END AS op
  FROM matrix WHERE id IS NOT NULL AND lower(key) NOT GLOB 'total*'
), link AS MATERIALIZED (
  SELECT n.id, n.kind, n.type, n.step_group, l.key AS link, n.place << 16 | l.id AS at, substr(l.value, 1, length(l.value) - 1) || ', "Op Name": ' || json_quote(n.op) || '}' AS json,
    json_extract(l.value, '$."Bandwidth(GB/s)"') AS rate, json_extract(l.value, '$."Transit Size(MB)"') AS mb, json_extract(l.value, '$."Transit Time(ms)"') AS ms,
    json_extract(l.value, '$."Transport Type"') AS transport
  FROM named n CROSS JOIN json_each(n.json) l
), ranked AS MATERIALIZED (
  SELECT *, row_number() OVER w AS n, count(*) OVER g AS count, min(at) OVER g AS first
  FROM link WINDOW g AS (PARTITION BY id, kind, type, step_group, link), w AS (PARTITION BY id, kind, type, step_group, link ORDER BY rate DESC, at) ORDER BY id, kind, first, n
), total AS (
  SELECT id, kind, type, step_group, link, first, max(transport) FILTER (WHERE n = 1) AS transport, max(typeof(mb) = 'real') AS real_size, max(typeof(ms) = 'real') AS real_time,
    float_sum(mb) AS mb, float_sum(ms) AS ms
  FROM ranked GROUP BY id, kind, first
), entry AS (
  SELECT id, kind, type || '-' || e.column1 || '@' || step_group AS name, first, e.column2 AS slot, link, json
  FROM ranked CROSS JOIN (VALUES ('top1', 0), ('middle', 1), ('bottom1', 2), ('bottom2', 4), ('bottom3', 5)) e
  WHERE n = CASE e.column2 WHEN 0 THEN 1 WHEN 1 THEN count / 2 + 1 WHEN 2 THEN count WHEN 4 THEN count - 1 ELSE count - 2 END
  UNION ALL
  SELECT id, kind, type || '-total@' || step_group, first, 3, link,
    '{"Transport Type": ' || json_quote(transport) || ', "Transit Size(MB)": ' || CASE WHEN real_size THEN repr(mb) ELSE CAST(mb AS INTEGER) END ||
    ', "Transit Time(ms)": ' || CASE WHEN real_time THEN repr(ms) ELSE CAST(ms AS INTEGER) END ||
    ', "Bandwidth(GB/s)": ' || CASE WHEN abs(ms) < 1e-15 THEN '0' ELSE repr(rounded(mb / ms, 4)) END || '}' FROM total
), operation AS (
  SELECT id, kind, name, min(first * 8 + slot) AS at, group_concat(json_quote(link) || ': ' || json, ', ') AS links
  FROM (SELECT * FROM entry ORDER BY id, kind, name, first) GROUP BY id, kind, name
), part AS (
  SELECT id, kind, group_concat(json_quote(name) || ': {' || links || '}', ', ') AS text FROM (SELECT * FROM operation ORDER BY id, kind, at) GROUP BY id, kind
)
SELECT 'step' || coalesce((SELECT step FROM step s WHERE s.id = m.id), '') AS "key",
  '{"p2p": {' || coalesce((SELECT text FROM part p WHERE p.id = m.id AND p.kind = 'p2p'), '') ||
  '}, "collective": {' || coalesce((SELECT text FROM part p WHERE p.id = m.id AND p.kind = 'collective'), '') || '}}' AS "json"
FROM (SELECT id, min(place) AS place FROM matrix WHERE id IS NOT NULL GROUP BY id) m ORDER BY m.place
