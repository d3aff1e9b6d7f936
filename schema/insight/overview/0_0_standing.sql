-- @family any
-- @style any
-- @title Standing
-- @each
SELECT group_concat(text, ', ') AS standing, group_concat(text, ', ') AS heading FROM (SELECT what || ' ' || standing AS text FROM standing ORDER BY place) HAVING count(*)
