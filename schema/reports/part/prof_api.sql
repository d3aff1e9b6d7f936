-- The calls with their names. A call of the acl level has its name as its id, its category as its mode.
WITH call AS (
  SELECT a.connection_id, a.thread_id, a.start_ns, a.dur_ns, coalesce(l.name, CAST(a.level AS TEXT)) AS level,
    coalesce(l.track, CAST(a.level AS TEXT)) AS track, coalesce(y.name, CAST(a.type AS TEXT)) AS name,
    CASE a.level WHEN 20000 THEN coalesce(m.name, CAST(a.type >> 16 AS TEXT)) ELSE coalesce(y.name, CAST(a.type AS TEXT)) END AS mode,
    CASE a.level WHEN 20000 THEN coalesce(y.name, CAST(a.type AS TEXT)) ELSE '0' END AS id,
    coalesce(n.name, printf('%u', a.item_id)) AS item
  FROM api a LEFT JOIN level l USING (level) LEFT JOIN type_name y USING (level, type) LEFT JOIN acl_mode m ON m.category = a.type >> 16
  LEFT JOIN name n ON n.hash = a.item_id
)
