-- @title Counters
-- @each
SELECT NULL AS file, c.standing,
  CASE c.standing WHEN 'assumed' THEN 'counters in assumed places, not verified: msprof learn finds them from the vendor''s tables'
    ELSE coalesce('counters are not shown: ' || s.reason, n.text) END AS what,
  CASE WHEN c.standing = 'assumed' THEN say('counters.assumed')
    WHEN s.reason IS NULL THEN replace(n.text, 'msprof learn', learn)
    ELSE say('counters.contradicted', 'learn', learn) END AS heading
FROM counters c CROSS JOIN (SELECT 'msprof learn' || coalesce(' -dir ' || dir, '') AS learn FROM temp.choice)
LEFT JOIN standing s ON s.about = 'counters' LEFT JOIN note n ON n.kind = 'contradicted' -- of databases before standings
WHERE c.standing IN ('contradicted', 'assumed')
