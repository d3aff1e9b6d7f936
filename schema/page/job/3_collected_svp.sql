-- When collecting began, in s since 1970: the first inference or call by the clock of the board.
-- @needs tasks
-- @each
SELECT min(start_ns) / 1000000000 AS collected_s FROM (
  SELECT start_ns FROM temp.step UNION ALL SELECT c.start_ns FROM source s CROSS JOIN api_call c ON c.rowid = s.first_row WHERE s.target = 'api_call')
WHERE typeof(start_ns) = 'integer' AND EXISTS (SELECT 1 FROM meta WHERE key = 'one_clock')
