-- The calls with their names.
WITH call AS (
  SELECT connection_id, thread_id, start_ns, dur_ns, word('call_kind', 'level', level << 32 | type) AS level,
    word('call_kind', 'title', level << 32 | type) AS title, word('call_kind', 'mode', level << 32 | type) AS mode,
    word('call_kind', 'item', level << 32 | type) AS id,
    CASE item_id WHEN 0 THEN '0' ELSE coalesce(word('name', 'name', item_id), printf('%u', item_id)) END AS item
  FROM api
)
