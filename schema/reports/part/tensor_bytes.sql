-- The bytes of the tensors of each id of `list`(id, shapes, types), which follows; without ids that have a tensor of an unknown shape or type.
WITH json AS MATERIALIZED (
  SELECT id, '[[' || replace(replace(shapes, '"', ''), ';', '],[') || ']]' AS shapes, '["' || replace(types, ';', '","') || '"]' AS types FROM list WHERE shapes IS NOT '""'
), width(type, bytes) AS (
  VALUES ('FLOAT', 4), ('FLOAT16', 2), ('DT_BF16', 2), ('INT8', 1), ('UINT8', 1), ('BOOL', 1), ('INT16', 2), ('UINT16', 2), ('INT32', 4), ('UINT32', 4), ('INT64', 8),
    ('UINT64', 8), ('DOUBLE', 8)
), dims AS (
  SELECT j.id, CASE s.type WHEN 'array' THEN w.bytes END AS bytes,
    1.0 * coalesce(json_extract(s.value, '$[0]'), 1) * coalesce(json_extract(s.value, '$[1]'), 1) * coalesce(json_extract(s.value, '$[2]'), 1)
    * coalesce(json_extract(s.value, '$[3]'), 1) * coalesce(json_extract(s.value, '$[4]'), 1) * coalesce(json_extract(s.value, '$[5]'), 1)
    * coalesce(json_extract(s.value, '$[6]'), 1) * coalesce(json_extract(s.value, '$[7]'), 1) AS items
  FROM json j JOIN json_each(iif(json_valid(j.shapes), j.shapes, '[null]')) s
  LEFT JOIN json_each(iif(json_valid(j.types), j.types, '[]')) y ON y.key = s.key LEFT JOIN width w ON w.type = y.value
), moved AS (
  SELECT id, total(bytes * items) AS bytes FROM dims GROUP BY id HAVING count(*) = count(bytes)
)
