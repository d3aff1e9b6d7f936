-- @family any
-- @style any
-- @title Standing
-- @each
SELECT replace(lines, char(10), '; ') AS standing, lines AS heading FROM standing_lines
