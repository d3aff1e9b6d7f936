-- @family any
-- @style any
-- @title Kinds of files
-- @each
SELECT 1 AS _any FROM temp.choice WHERE NOT each_step AND EXISTS (SELECT 1 FROM source)
-- @rows
SELECT CASE state WHEN 'unknown' THEN 'not understood' WHEN 'raw' THEN 'records' ELSE state END AS "What",
  layout || ' v' || layout_version AS "Layout",
  CASE WHEN layout IS NULL THEN NULL
    WHEN verified = 1 AND target = 'aicore_task' AND EXISTS (SELECT 1 FROM meta WHERE key = 'counters' AND value <> 'known') THEN 'yes, the form; counters unverified'
    WHEN verified = 1 THEN CASE WHEN layout GLOB 'svp.*' AND layout <> 'svp.host_call' THEN 'yes: files of the maker''s library' ELSE 'yes: real data' END
    WHEN verified = 2 THEN 'reference files only' WHEN verified = 3 THEN 'learned from tables of this board''s tool'
    ELSE 'no: unverified on hardware' END AS "Verified",
  count(DISTINCT file) AS "Files", CASE WHEN layout IS NOT NULL THEN total_int(records) END AS "Records",
  total_int(bytes) AS "Bytes", total_int(damaged_bytes) AS "Damaged", total_int(blank_bytes) AS "Blank",
  CASE WHEN count(DISTINCT remark) > 0 OR state IN ('unknown', 'unreadable') THEN min(file) || coalesce(': ' || min(remark), '') END AS "First"
FROM (SELECT *, CASE row_number() OVER (PARTITION BY file ORDER BY id) WHEN 1 THEN size ELSE 0 END AS bytes FROM source)
GROUP BY state, layout, layout_version, verified, target ORDER BY min(CASE state WHEN 'raw' THEN 1 WHEN 'info' THEN 2 WHEN 'marker' THEN 3 ELSE 0 END), layout
-- @why
SELECT 'data/ is empty' FROM temp.choice WHERE NOT each_step
