-- @title Links
-- @time Time(us)
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM link)
-- @rows
SELECT l.source AS "From", l.target AS "To", l.link AS "Link", l.transport AS "Transport", l.transfers AS "Transfers", l.bytes AS "Bytes", decimal(l.ns, 1000, 3) AS "Time(us)",
  rounded(l.rate, 4) AS "GB/s", rounded(k.median, 4) AS "Median(GB/s)", CASE WHEN k.links < :least_links THEN 'unsure' WHEN l.rate < :link_factor * k.median THEN 'yes' ELSE 'no' END AS "Slow"
FROM link l JOIN link_kind k USING (link, transport) ORDER BY l.rate / k.median, l.source, l.target, l.link, l.transport
-- @why
SELECT 'no collective operation tells what it moved'
