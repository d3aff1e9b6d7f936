-- @family any
-- @style any
-- @title Verdict
-- @each
SELECT coalesce(group_concat(text, '; '),
  CASE WHEN EXISTS (SELECT 1 FROM source WHERE records > 0) THEN 'whole: every byte of the files that are understood belongs to a record, and nothing contradicts itself'
  ELSE 'empty: nothing was recorded' END) AS heading
FROM (SELECT amount || ' ' || what AS text FROM loss
      UNION ALL SELECT what || ' ' || standing FROM standing WHERE failed > 0 AND standing <> 'proven'
      UNION ALL SELECT 'incomplete: ' || count(*) || ' unpaired starts or ends' FROM unpaired HAVING count(*)
      UNION ALL SELECT 'files that are not understood: ' || count(*) FROM source WHERE state = 'unknown' HAVING count(*))
