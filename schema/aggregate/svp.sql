-- What a board tells besides: its chip, and times since 1970.
UPDATE temp.aggregate_job SET chip = (SELECT group_concat(soc, ', ') FROM (SELECT DISTINCT soc FROM device WHERE soc IS NOT NULL ORDER BY 1));
UPDATE temp.aggregate_job SET wall_offset_ns = 0, started_ns = (SELECT min(start_ns) FROM (
    SELECT start_ns FROM temp.step UNION ALL SELECT c.start_ns FROM source s CROSS JOIN api_call c ON c.rowid = s.first_row WHERE s.target = 'api_call')
  WHERE typeof(start_ns) = 'integer')
WHERE EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock');
