-- @title Files
-- @each
SELECT 1 AS _any FROM temp.choice WHERE each_step AND EXISTS (SELECT 1 FROM source)
-- @rows
SELECT file AS "File",
  CASE state WHEN 'unknown' THEN 'not understood' WHEN 'marker' THEN 'marker' WHEN 'info' THEN 'info'
    WHEN 'unreadable' THEN 'unreadable' ELSE 'records' END AS "What",
  layout || ' v' || layout_version AS "Layout",
  CASE WHEN layout IS NULL THEN NULL
    WHEN verified = 1 AND target = 'aicore_task' AND EXISTS (SELECT 1 FROM meta WHERE key = 'counters' AND value <> 'known') THEN 'yes, the form; counters unverified'
    WHEN verified = 1 THEN CASE WHEN layout GLOB 'svp.*' AND layout <> 'svp.host_call' THEN 'yes: files of the maker''s library' ELSE 'yes: real data' END WHEN verified = 2 THEN 'reference files only'
    WHEN verified = 3 THEN 'learned from tables of this board''s tool'
    ELSE 'no: unverified on hardware' END AS "Verified",
  CASE WHEN layout IS NOT NULL THEN total_int(records) END AS "Records", size AS "Bytes",
  total_int(damaged_bytes) AS "Damaged", total_int(blank_bytes) AS "Blank",
  remark AS "Remark"
FROM source GROUP BY file, state, target, layout, layout_version, verified, size, remark ORDER BY file -- a file that inferences share has a row for each of them
-- @why
SELECT 'data/ is empty' FROM temp.choice WHERE each_step
