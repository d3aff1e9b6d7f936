-- The lines of the view standing_lines in the language of --lang.
WITH kind AS (
  SELECT is_wrong, say('standing.line', 'what', word(what), 'word', word(word)) || coalesce(word(': ') || word(reason), '') AS text FROM told_standing ORDER BY place
), said AS (
  SELECT coalesce(wrong || CASE WHEN rest IS NULL THEN '' ELSE char(10) END, '') || coalesce(rest, '') AS lines
  FROM (SELECT group_concat(text, char(10)) FILTER (WHERE is_wrong) AS wrong, group_concat(text, word(', ')) FILTER (WHERE NOT is_wrong) AS rest FROM kind)
)
