-- @title Verdict
-- @each
SELECT coalesce(wrong, none) AS verdict, coalesce(said, word(none)) AS heading
FROM (SELECT group_concat(text, '; ') AS wrong, group_concat(word(text), word('; ')) AS said,
  CASE WHEN EXISTS (SELECT 1 FROM source WHERE records > 0) THEN 'whole: every byte belongs to a record, and no check fails'
  ELSE 'empty: nothing was recorded' END AS none
FROM (SELECT amount || ' ' || what AS text FROM loss
      UNION ALL SELECT what || ' ' || word FROM told_standing WHERE is_wrong
      UNION ALL SELECT 'incomplete: ' || count(*) || ' unpaired starts or ends' FROM unpaired HAVING count(*)
      UNION ALL SELECT 'files that are not understood: ' || count(*) FROM source WHERE state = 'unknown' HAVING count(*)))
