-- @title Verdict
-- @each
SELECT verdict, verdict AS heading FROM (SELECT coalesce(group_concat(text, '; '),
  CASE WHEN EXISTS (SELECT 1 FROM source WHERE records > 0) THEN 'whole: every byte belongs to a record, and no check fails'
  ELSE 'empty: nothing was recorded' END) AS verdict
FROM (SELECT amount || ' ' || what AS text FROM loss
      UNION ALL SELECT what || ' ' || word FROM told_standing WHERE is_wrong
      UNION ALL SELECT 'incomplete: ' || count(*) || ' unpaired starts or ends' FROM unpaired HAVING count(*)
      UNION ALL SELECT 'files that are not understood: ' || count(*) FROM source WHERE state = 'unknown' HAVING count(*)))
