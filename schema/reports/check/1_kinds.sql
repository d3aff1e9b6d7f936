-- @title Kinds of files
-- @each
SELECT 1 AS _any FROM temp.choice WHERE NOT each_step AND EXISTS (SELECT 1 FROM source)
-- @without
SELECT 'Damaged' WHERE NOT EXISTS (SELECT 1 FROM source WHERE damaged_bytes > 0)
UNION ALL SELECT 'Blank' WHERE NOT EXISTS (SELECT 1 FROM source WHERE blank_bytes > 0)
-- @rows
SELECT coalesce(layout || ' v' || layout_version, CASE state WHEN 'unknown' THEN 'not understood' WHEN 'raw' THEN 'records' ELSE state END) AS "Kind",
  count(DISTINCT file) AS "Files", CASE WHEN layout IS NOT NULL THEN total_int(records) END AS "Records",
  total_int(damaged_bytes) AS "Damaged", total_int(blank_bytes) AS "Blank",
  CASE WHEN state IN ('unknown', 'unreadable') THEN min(file) || coalesce(': ' || min(remark), '') WHEN layout IS NULL THEN NULL
    WHEN verified = 1 AND target = 'aicore_task' AND EXISTS (SELECT 1 FROM meta WHERE key = 'counters' AND value <> 'known') THEN 'yes, the form; counters unverified'
    WHEN verified = 1 THEN CASE WHEN layout GLOB 'svp.*' AND layout <> 'svp.host_call' THEN 'yes: files of the maker''s library' ELSE 'yes: real data' END
    WHEN verified = 2 THEN 'reference files only' WHEN verified = 3 THEN 'learned from tables of this board''s tool'
    ELSE 'no: unverified on hardware' END AS "Verified"
FROM source
GROUP BY state, layout, layout_version, verified, target, CASE state WHEN 'unknown' THEN remark END
ORDER BY min(CASE state WHEN 'raw' THEN 1 WHEN 'info' THEN 2 WHEN 'marker' THEN 3 ELSE 0 END), layout
-- @why
SELECT 'data/ is empty' FROM temp.choice WHERE NOT each_step
