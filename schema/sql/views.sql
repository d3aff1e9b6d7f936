-- The views that users and reports query. They use only built-in functions, so that any sqlite3 shell can open a database.
-- total() returns a double; sum() would fail when the numbers of a file overflow.

-- Everything that makes exit status 3. Empty when nothing was lost.
CREATE VIEW loss AS
SELECT 'damaged bytes' AS what, -- damaged bytes, unusable information files, sequence gaps, missing or unreadable files, unknown orders, unpaired task events
  CAST(total(bytes) AS INTEGER) AS amount -- how many
FROM damage HAVING total(bytes) > 0
UNION ALL SELECT 'unusable information files', count(*) FROM damage WHERE bytes = 0 HAVING count(*)
UNION ALL SELECT 'sequence gaps', CAST(total(gaps) AS INTEGER) FROM source WHERE gaps > 0 HAVING count(*)
UNION ALL SELECT 'missing or unreadable files', count(*) FROM note WHERE kind = 'missing' HAVING count(*)
UNION ALL SELECT 'unknown orders', count(*) FROM note WHERE kind = 'order' HAVING count(*)
UNION ALL SELECT 'unpaired task events', CAST(text AS INTEGER) FROM note WHERE kind = 'lost';

-- The table standing as commands tell it.
CREATE VIEW told_standing AS
SELECT about, place, what,
  word,                        -- in doubt where a check leaves a doubt, unproven where none applies, else the standing
  reason,
  what || ' ' || word || coalesce(': ' || reason, '') AS text, -- all of it in one line
  is_wrong,                    -- 1: a check fails, which makes exit status 3
  -- what to do then; else NULL
  CASE WHEN is_wrong THEN CASE WHEN about = 'counters' AND family = 'svp' AND word = 'contradicted'
    AND NOT EXISTS (SELECT 1 FROM standing t WHERE t.about = 'tasks' AND t.standing = 'contradicted') THEN 'try ''msprof learn''' ELSE 'see ''msprof check --files''' END END AS remedy
FROM (SELECT *, failed > 0 AND standing <> 'proven' AS is_wrong, (SELECT value FROM meta WHERE key = 'family') AS family,
        CASE WHEN standing = 'unproven' AND failed > 0 THEN 'in doubt'
          WHEN standing = 'consistent' AND about = 'counters' AND EXISTS (SELECT 1 FROM meta WHERE key = 'counters' AND value = 'assumed')
            THEN 'consistent in assumed places (not verified)'
          ELSE standing END AS word
      FROM standing WHERE standing IS NOT NULL);

-- The same of all kinds in one row.
CREATE VIEW standing_lines AS
SELECT
  -- what is wrong first, a line each, and then the rest in one line
  CASE WHEN rest IS NULL THEN wrong ELSE coalesce(wrong || char(10), '') || rest END AS lines
FROM (SELECT (SELECT group_concat(text, char(10)) FROM (SELECT text FROM told_standing WHERE is_wrong ORDER BY place)) AS wrong,
        (SELECT group_concat(text, ', ') FROM (SELECT text FROM told_standing WHERE NOT is_wrong ORDER BY place)) AS rest)
WHERE wrong IS NOT NULL OR rest IS NOT NULL;
