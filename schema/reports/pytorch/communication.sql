-- @family prof
-- @form object
-- @file communication
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM temp.communication)
-- @rows
WITH one AS MATERIALIZED (
  SELECT id, kind, key, json, place FROM temp.collective_step WHERE id IS NOT NULL AND kind IS NOT NULL ORDER BY id, kind, place
), took AS (
  SELECT id, kind, float_sum(json_extract(json, '$."Communication Time Info"."Elapse Time(ms)"')) AS elapse,
    float_sum(json_extract(json, '$."Communication Time Info"."Transit Time(ms)"')) AS transit, float_sum(json_extract(json, '$."Communication Time Info"."Wait Time(ms)"')) AS wait,
    float_sum(json_extract(json, '$."Communication Time Info"."Synchronization Time(ms)"')) AS sync, float_sum(json_extract(json, '$."Communication Time Info"."Idle Time(ms)"')) AS idle,
    group_concat(json_quote(key) || ': ' || json, ', ') AS ops
  FROM one GROUP BY id, kind
), link AS MATERIALIZED (
  SELECT o.id, o.kind, l.key AS link, o.place, l.id AS at, l.value AS json FROM one o CROSS JOIN json_each(o.json, '$."Communication Bandwidth Info"') l
  ORDER BY o.id, o.kind, l.key, o.place
), rate AS (
  SELECT id, kind, link, min(place << 16 | at) AS at, max(typeof(json_extract(json, '$."Transit Time(ms)"')) = 'real') AS real_time, float_sum(json_extract(json, '$."Transit Time(ms)"')) AS ms,
    max(typeof(json_extract(json, '$."Transit Size(MB)"')) = 'real') AS real_size, float_sum(json_extract(json, '$."Transit Size(MB)"')) AS mb
  FROM link GROUP BY id, kind, link
), packet AS MATERIALIZED (
  SELECT l.id, l.kind, l.link, s.key AS size, l.place << 16 | s.id AS at, json_extract(s.value, '$[0]') AS count, json_extract(s.value, '$[1]') AS ms
  FROM link l CROSS JOIN json_each(l.json, '$."Size Distribution"') s ORDER BY l.id, l.kind, l.link, s.key, l.place
), packets AS (
  SELECT id, kind, link, group_concat(json_quote(size) || ': [' || count || ', ' || ms || ']', ', ') AS sizes
  FROM (SELECT id, kind, link, size, min(at) AS at, total_int(count) AS count, repr(float_sum(ms)) AS ms FROM packet GROUP BY id, kind, link, size ORDER BY id, kind, link, at)
  GROUP BY id, kind, link
), links AS (
  SELECT id, kind, group_concat('"' || link || '": {"Transit Time(ms)": ' || CASE WHEN real_time THEN repr(ms) ELSE CAST(ms AS INTEGER) END ||
    ', "Transit Size(MB)": ' || CASE WHEN real_size THEN repr(mb) ELSE CAST(mb AS INTEGER) END || ', "Size Distribution": {' || coalesce(sizes, '') || '}}', ', ') AS text
  FROM (SELECT r.*, p.sizes FROM rate r LEFT JOIN packets p ON p.id = r.id AND p.kind = r.kind AND p.link = r.link ORDER BY r.id, r.kind, r.at) GROUP BY id, kind
), part AS (
  SELECT t.id, t.kind, t.ops || ', "Total Op Info": {"Communication Time Info": {"Elapse Time(ms)": ' || repr(elapse) || ', "Transit Time(ms)": ' || repr(transit) ||
    ', "Wait Time(ms)": ' || repr(wait) || ', "Synchronization Time(ms)": ' || repr(sync) || ', "Idle Time(ms)": ' || repr(idle) ||
    ', "Wait Time Ratio": ' || CASE WHEN abs(wait + transit) < 1e-15 THEN '0' ELSE repr(rounded(wait / (wait + transit), 4)) END ||
    ', "Synchronization Time Ratio": ' || CASE WHEN abs(transit + sync) < 1e-15 THEN '0' ELSE repr(rounded(sync / (transit + sync), 4)) END ||
    '}, "Communication Bandwidth Info": {' || coalesce(l.text, '') || '}}' AS text
  FROM took t LEFT JOIN links l ON l.id = t.id AND l.kind = t.kind
)
SELECT 'step' || coalesce(s.step, '') AS "key", '{"p2p": {' || coalesce((SELECT text FROM part p WHERE p.id = s.id AND p.kind = 'p2p'), '') ||
  '}, "collective": {' || coalesce((SELECT text FROM part p WHERE p.id = s.id AND p.kind = 'collective'), '') || '}}' AS "json"
FROM temp.collective_range s ORDER BY s.id
