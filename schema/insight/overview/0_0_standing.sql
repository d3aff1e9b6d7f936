-- @title Standing
-- @use standing
-- @each
SELECT replace(l.lines, char(10), '; ') AS standing, s.lines AS heading FROM standing_lines l CROSS JOIN said s
