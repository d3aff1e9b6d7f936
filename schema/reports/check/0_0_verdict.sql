-- @family any
-- @style any
-- @title Verdict
-- @each
SELECT coalesce(group_concat(text, '; '), 'whole: every byte of the files that are understood belongs to a record, and nothing contradicts itself') AS heading
FROM (SELECT amount || ' ' || what AS text FROM loss
      UNION ALL SELECT what || ' ' || standing FROM standing WHERE failed > 0 AND standing <> 'proven'
      UNION ALL SELECT 'incomplete: ' || count(*) || ' unpaired starts or ends' FROM unpaired HAVING count(*)
      UNION ALL SELECT 'files that are not understood: ' || count(*) FROM source WHERE state = 'unknown' HAVING count(*))
