-- @family any
-- @style any
-- @each
SELECT replace(lines, char(10), '; ') AS standing FROM standing_lines
