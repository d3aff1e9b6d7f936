-- @family prof
-- @style any
-- @file memory_record
-- @newline crlf
-- @use prof_stamp
-- @each
SELECT _text_wall, _real_wall, _begin_ns FROM stamp
WHERE EXISTS (SELECT 1 FROM temp.allocation) OR EXISTS (SELECT 1 FROM op_memory) OR EXISTS (SELECT 1 FROM npu_mem_sample WHERE time_ns >= _begin_ns AND event = 0)
-- @rows
WITH record AS MATERIALIZED (
  SELECT a.id, 0 AS is_ge, a.time_ns, m.allocated / 1048576.0 AS allocated, m.reserved / 1048576.0 AS reserved, m.active / 1048576.0 AS active, m.stream, m.component = 1 AS is_workspace,
    'NPU:' || CASE (SELECT count(*) FROM device) WHEN 1 THEN (SELECT device_id FROM device) ELSE m.device_index END AS device
  FROM temp.allocation a CROSS JOIN temp.memory_use m ON m.rowid = a.record
  UNION ALL
  SELECT row_number() OVER (), 1, m.time_ns + :_text_wall, rounded(total_allocated / 1024.0, 3) / 1024.0, rounded(total_reserved / 1024.0, 3) / 1024.0, 0, NULL, 0, 'NPU:' || m.device_id
  FROM (SELECT 1) LEFT JOIN device d CROSS JOIN task_memory_info m WHERE EXISTS (SELECT 1 FROM op_memory) AND (SELECT has_npu FROM temp.profile)
), placed AS MATERIALIZED (
  SELECT *, row_number() OVER (ORDER BY time_ns, is_ge, id) AS place FROM record
), known AS (
  SELECT *, max(CASE WHEN is_ge THEN place END) OVER w AS ge, max(CASE WHEN NOT is_ge AND NOT is_workspace THEN place END) OVER w AS pta
  FROM placed WINDOW w AS (PARTITION BY device ORDER BY place)
), joined AS (
  SELECT k.*, o.place AS other, o.allocated AS other_allocated, o.reserved AS other_reserved, o.active AS other_active, o.stream AS other_stream
  FROM known k LEFT JOIN placed o ON o.place = CASE WHEN k.is_ge THEN k.pta ELSE k.ge END
)
SELECT "Component", "Timestamp(us)", "Total Allocated(MB)", "Total Reserved(MB)", "Total Active(MB)", "Stream Ptr", "Device Type"
FROM (
  SELECT 'APP' AS "Component", us(CAST(time_ns + :_real_wall AS INTEGER)) || char(9) AS "Timestamp(us)", '' AS "Total Allocated(MB)",
    repr((ddr_bytes + hbm_bytes) / 1024 / 1024.0) AS "Total Reserved(MB)", '' AS "Total Active(MB)", '' AS "Stream Ptr", 'NPU:' || device_id AS "Device Type", 0 AS part, rowid AS place
  FROM npu_mem_sample WHERE time_ns >= :_begin_ns AND event = 0 AND (SELECT has_npu FROM temp.profile)
  UNION ALL
  SELECT CASE WHEN is_workspace THEN 'WORKSPACE' WHEN e.column1 THEN 'PTA+GE' WHEN is_ge THEN 'GE' ELSE 'PTA' END, us(time_ns) || char(9),
    repr(CASE WHEN e.column1 AND other THEN allocated + other_allocated ELSE allocated END), repr(CASE WHEN e.column1 AND other THEN reserved + other_reserved ELSE reserved END),
    CASE WHEN e.column1 AND other THEN repr(1.0 * (active + other_active)) WHEN is_ge THEN CASE WHEN e.column1 THEN 0 ELSE '' END ELSE repr(active) END,
    CASE WHEN e.column1 AND other AND NOT coalesce(stream, 0) THEN coalesce(other_stream, '') ELSE coalesce(stream, '') END, device, 1, place * 2 + e.column1
  FROM joined CROSS JOIN (VALUES (0), (1)) e WHERE NOT (is_workspace AND e.column1)
) ORDER BY part, place
