-- @title Notes
-- @each
SELECT 1 AS _any WHERE EXISTS (SELECT 1 FROM note)
-- @rows
SELECT text AS "Note" FROM (
  SELECT 0 AS kind, l.rate / k.median AS place, 'the link from rank ' || l.source || ' to rank ' || l.target || ' is slow: ' || fixed(l.rate, 2) || ' GB/s by ' || l.link
    || ', the median of its kind ' || fixed(k.median, 2) AS text
  FROM link l JOIN link_kind k USING (link, transport) WHERE k.links >= :least_links AND l.rate < :link_factor * k.median
  UNION ALL SELECT 1, rowid, text FROM note ORDER BY kind, place LIMIT 200
) ORDER BY kind, place
-- @why
SELECT 'none'
