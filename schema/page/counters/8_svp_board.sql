-- What the board was busy with (collect --board-stats). Its samples are on the axis of the calls; where there are tasks, the first
-- call is at the first task. A use of processors begins with its piece of time. What was before is at the begin.
-- @each
SELECT 'Board' AS track, shift_ns AS _shift, begin_ns AS _begin FROM temp.board_axis
-- @rows
SELECT max(time_ns + :_shift, :_begin) AS time_ns, NULL AS "Processors(%)", NULL AS "The program(%)", available_kb / 1024.0 AS "Memory available(MiB)",
  program_kb / 1024.0 AS "Memory of the program(MiB)", load AS "Load, 1 minute()"
FROM board_sample WHERE id >= (SELECT max(id) FROM board_sample WHERE phase = 'before')
-- @layer
SELECT max(from_ns + :_shift, :_begin), busy, program, NULL, NULL, NULL FROM board_use WHERE phase <> 'before'
