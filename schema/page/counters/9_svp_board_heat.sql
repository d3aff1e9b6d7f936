-- Temperatures of the board.
-- @each
SELECT 'Board, zone ' || h.zone || coalesce(' ' || h.type, '') AS track, a.shift_ns AS _shift, a.begin_ns AS _begin, h.zone AS _zone
FROM (SELECT DISTINCT zone, type FROM board_heat ORDER BY zone LIMIT 8) h CROSS JOIN temp.board_axis a
-- @rows
SELECT max(s.time_ns + :_shift, :_begin) AS time_ns, h.millidegree / 1000.0 AS "Temperature(C)"
FROM board_heat h JOIN board_sample s ON s.id = h.sample_id
WHERE h.zone = :_zone AND s.id >= (SELECT max(id) FROM board_sample WHERE phase = 'before')
