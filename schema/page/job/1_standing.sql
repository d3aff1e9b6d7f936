-- @use standing
-- @each
SELECT replace(lines, char(10), word('; ')) AS standing FROM said WHERE lines <> ''
