-- What of the numbers is verified on what.
-- @family any
-- @style any
-- @each
SELECT CASE WHEN files = 0 THEN 'The data holds no records.'
    WHEN checked = files THEN 'All layouts of this data were compared with real data.'
    WHEN checked = 0 AND made = 0 AND learned = 0 THEN 'No layout of this data was compared with real data: compare one number with the vendor''s tool before you rely on it.'
    ELSE checked || ' of ' || files || ' files have layouts that were compared with real data, ' || made || ' with reference files, ' || learned
      || ' with tables of the board''s own tool; ' || (files - checked - made - learned) || ' are unverified.' END AS verified
FROM (SELECT count(*) AS files, count(*) FILTER (WHERE verified = 1) AS checked, count(*) FILTER (WHERE verified = 2) AS made,
    count(*) FILTER (WHERE verified = 3) AS learned FROM source WHERE state = 'raw' AND layout IS NOT NULL AND records > 0)
