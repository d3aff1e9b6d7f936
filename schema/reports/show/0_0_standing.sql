-- @family any
-- @style default
-- @title Standing
-- @each
SELECT replace(lines, char(10), '; ') AS standing, (
  SELECT coalesce(wrong || CASE WHEN rest IS NULL THEN '' ELSE char(10) END, '') || coalesce(rest, '') FROM (
    SELECT group_concat(text, char(10)) FILTER (WHERE is_wrong) AS wrong, group_concat(text, ', ') FILTER (WHERE NOT is_wrong) AS rest FROM (
      SELECT is_wrong, say('standing.line', 'what', word(what), 'word', word(word)) || coalesce(': ' || reason, '') AS text FROM told_standing ORDER BY place))) AS heading
FROM standing_lines
