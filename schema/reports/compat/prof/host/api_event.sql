-- @file api_event
-- @title ApiData
-- @use prof_host_clock
-- @each
SELECT _hz, _count, _ns FROM clock WHERE EXISTS (SELECT 1 FROM api)
-- @rows
SELECT k.mode AS struct_type, k.item AS id, k.level AS level, thread_id, CASE item_id WHEN 0 THEN '0' ELSE coalesce(word('name', 'name', item_id), printf('%u', item_id)) END AS item_id,
  :_count + begun / 1000000000 * :_hz + decimal(begun % 1000000000 * :_hz, 1000000000, 0) AS start,
  :_count + ended / 1000000000 * :_hz + decimal(ended % 1000000000 * :_hz, 1000000000, 0) AS "end", connection_id
FROM (SELECT *, start_ns - :_ns AS begun, start_ns + dur_ns - :_ns AS ended FROM api) a LEFT JOIN call_kind k ON k.id = a.level << 32 | a.type ORDER BY connection_id
