-- The calls with their names.
WITH call AS (
  SELECT a.connection_id, a.thread_id, a.start_ns, a.dur_ns, k.level, k.title, k.mode, k.item AS id,
    CASE a.item_id WHEN 0 THEN '0' ELSE coalesce((SELECT name FROM name n WHERE n.hash = a.item_id), printf('%u', a.item_id)) END AS item
  FROM api a LEFT JOIN call_kind k ON k.id = a.level << 32 | a.type
)
