-- The speed of each link: a row for each sender and kind, a column for each receiver. Ranks that are integers make the terms of @columns.
-- @title Matrix
-- @each
SELECT 1 AS _any, CASE WHEN count(DISTINCT target) > 64 THEN word('More than 64 receivers: the table Links has them') END AS heading FROM link HAVING count(*)
-- @columns
SELECT 'rounded(max(rate) FILTER (WHERE target = ' || target || '), 4)' AS term, 'To ' || target || '(GB/s)' AS title FROM link
WHERE target >= 0 AND (SELECT count(DISTINCT target) FROM link) <= 64 GROUP BY target ORDER BY target
-- @rows
SELECT source AS "From", link AS "Link", transport AS "Transport"{columns} FROM link
WHERE (SELECT count(DISTINCT target) FROM link) <= 64 GROUP BY source, link, transport ORDER BY link, transport, source
-- @why
SELECT 'no collective operation tells what it moved'
