-- What of the numbers is verified on what.
-- @each
SELECT CASE WHEN files = 0 THEN 'The data holds no records.'
    WHEN checked = files AND EXISTS (SELECT 1 FROM meta WHERE key = 'counters' AND value <> 'known')
      THEN 'The forms of this data are those of real data; the counters are in assumed places, not verified.'
    WHEN checked = files THEN 'All layouts of this data were compared with real data.'
    WHEN checked = 0 AND made = 0 AND learned = 0 THEN 'No layout of this data was compared with real data: compare one number with the vendor''s tool before you rely on it.'
    ELSE say('page.layouts', 'count', files, 'list', substr(CASE WHEN checked > 0 THEN ', ' || say('page.checked', 'count', checked) ELSE '' END
      || CASE WHEN made > 0 THEN ', ' || say('page.made', 'count', made) ELSE '' END
      || CASE WHEN learned > 0 THEN ', ' || say('page.learned', 'count', learned) ELSE '' END
      || CASE WHEN unverified > 0 THEN ', ' || say('page.unverified', 'count', unverified) ELSE '' END, 3)) END AS verified
FROM (SELECT count(*) AS files, count(*) FILTER (WHERE verified NOT IN (1, 2, 3)) AS unverified, count(*) FILTER (WHERE verified = 1) AS checked, count(*) FILTER (WHERE verified = 2) AS made,
    count(*) FILTER (WHERE verified = 3) AS learned FROM (SELECT DISTINCT file, layout, verified FROM source WHERE state = 'raw' AND layout IS NOT NULL AND records > 0))
