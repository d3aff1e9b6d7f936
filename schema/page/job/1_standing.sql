-- @family any
-- @style any
-- @each
SELECT group_concat(text, ', ') AS standing FROM (SELECT what || ' ' || standing AS text FROM standing ORDER BY place) HAVING count(*)
