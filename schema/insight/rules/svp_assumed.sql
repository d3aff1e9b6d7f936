-- @title Counters in assumed places
-- @advice Times, names and calls do not need them. Compare one counter with the vendor's tool before you rely on it; msprof learn finds the places from the vendor's tables.
-- @source no board took part: the hardware's words are taken in the order of the columns, and nothing contradicts that
-- @each
SELECT word('all tasks of the core') AS subject, 'note' AS severity FROM counters WHERE standing = 'assumed'
-- @rows
SELECT layout AS "Layout", count(DISTINCT file) AS "Files", total_int(records) AS "Records" FROM source
WHERE target = 'aicore_task' AND records > 0 GROUP BY layout ORDER BY layout
