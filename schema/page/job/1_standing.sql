-- @use standing
-- @each
SELECT replace(lines, char(10), '; ') AS standing FROM said WHERE lines <> ''
