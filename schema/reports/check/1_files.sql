-- @family any
-- @style any
-- @title Files
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM source)
-- @rows
SELECT file AS "File",
  CASE state WHEN 'unknown' THEN 'not understood' WHEN 'marker' THEN 'marker' WHEN 'info' THEN 'info'
    WHEN 'unreadable' THEN 'unreadable' ELSE 'records' END AS "What",
  layout || ' v' || layout_version AS "Layout",
  CASE WHEN layout IS NULL THEN NULL WHEN verified = 1 THEN 'yes: real data' WHEN verified = 2 THEN 'reference files only'
    WHEN verified = 3 THEN 'learned from tables of this board''s tool'
    ELSE 'no: unverified on hardware' END AS "Verified",
  CASE WHEN layout IS NOT NULL THEN records END AS "Records", size AS "Bytes",
  damaged_bytes AS "Damaged", CASE WHEN blank_bytes THEN blank_bytes ELSE 0 END AS "Blank",
  remark AS "Remark"
FROM source ORDER BY file
-- @why
SELECT 'data/ is empty'
