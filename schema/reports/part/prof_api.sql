-- The calls with their names: those of the level of communication have the name of their item.
WITH call AS (
  SELECT connection_id, thread_id, start_ns, dur_ns, word('call_kind', 'level', level << 32 | type) AS level,
    CASE level WHEN 5500 THEN 'Communication@' || coalesce(word('name', 'name', item_id), printf('%u', item_id))
      ELSE word('call_kind', 'title', level << 32 | type) END AS title,
    word('call_kind', 'mode', level << 32 | type) AS mode, word('call_kind', 'item', level << 32 | type) AS id,
    CASE item_id WHEN 0 THEN '0' ELSE coalesce(word('name', 'name', item_id), printf('%u', item_id)) END AS item
  FROM api
)
