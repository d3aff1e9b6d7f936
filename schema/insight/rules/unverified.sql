-- @title Layouts that were not compared with real data
-- @advice Compare one number with the vendor's tool before you rely on it; msprof check lists the layouts.
-- @source the column verified of the table source
-- @each
SELECT say(CASE count(DISTINCT file) WHEN 1 THEN 'subject.layouts.one' ELSE 'subject.layouts' END, 'files', count(DISTINCT file),
    'layouts', say(CASE count(DISTINCT layout) WHEN 1 THEN 'count.layout' ELSE 'count.layouts' END, 'count', count(DISTINCT layout))) AS subject, 'note' AS severity
FROM source WHERE state = 'raw' AND verified = 0 AND records > 0 HAVING count(*)
-- @rows
SELECT layout AS "Layout", count(DISTINCT file) AS "Files", total_int(records) AS "Records" FROM source WHERE state = 'raw' AND verified = 0 AND records > 0
GROUP BY layout ORDER BY 3 DESC, layout
