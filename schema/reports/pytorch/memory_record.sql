-- @family prof
-- @file memory_record
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _real_wall, _begin_ns, EXISTS (SELECT 1 FROM temp.allocated WHERE is_ge) AS _has_ge FROM stamp
WHERE EXISTS (SELECT 1 FROM temp.allocated) OR EXISTS (SELECT 1 FROM npu_mem_sample WHERE time_ns >= _begin_ns AND event = 0)
-- @rows
WITH joined AS (
  SELECT a.*, CASE WHEN :_has_ge THEN (SELECT max(place) FROM temp.allocated o WHERE o.device = a.device AND o.is_ge = NOT a.is_ge AND o.is_workspace = 0 AND o.place < a.place) END AS other
  FROM temp.allocated a ORDER BY a.place
)
SELECT 'APP' AS "Component", us(CAST(time_ns + :_real_wall AS INTEGER)) || char(9) AS "Timestamp(us)", '' AS "Total Allocated(MB)",
  repr((ddr_bytes + hbm_bytes) / 1024 / 1024.0) AS "Total Reserved(MB)", '' AS "Total Active(MB)", '' AS "Stream Ptr", 'NPU:' || device_id AS "Device Type"
FROM npu_mem_sample WHERE time_ns >= :_begin_ns AND event = 0 AND (SELECT has_npu FROM temp.profile)
UNION ALL
SELECT CASE WHEN k.is_workspace THEN 'WORKSPACE' WHEN e.column1 THEN 'PTA+GE' WHEN k.is_ge THEN 'GE' ELSE 'PTA' END, us(k.time_ns) || char(9),
  repr(CASE WHEN e.column1 AND other THEN k.allocated + o.allocated ELSE k.allocated END), repr(CASE WHEN e.column1 AND other THEN k.reserved + o.reserved ELSE k.reserved END),
  CASE WHEN e.column1 AND other THEN repr(k.active + o.active) WHEN k.is_ge THEN CASE WHEN e.column1 THEN 0 ELSE '' END ELSE repr(k.active) END,
  CASE WHEN e.column1 AND other AND NOT coalesce(k.stream, 0) THEN coalesce(o.stream, '') ELSE coalesce(k.stream, '') END, 'NPU:' || k.device
FROM joined k LEFT JOIN temp.allocated o ON o.place = k.other CROSS JOIN (VALUES (0), (1)) e WHERE NOT (k.is_workspace AND e.column1)
