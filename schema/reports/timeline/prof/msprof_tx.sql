-- @form array
-- @use prof_stamp
-- @each
SELECT time, _wall, _pid, _pid_msproftx, _begin_ns, -9223372036854775808 AS _from_ns, 9223372036854775807 AS _to_ns FROM stamp WHERE EXISTS (SELECT 1 FROM msproftx)
-- @use prof_marks
-- @rows
SELECT * FROM mark
-- @use prof_stream_marks
-- @layer
SELECT * FROM event
-- @use prof_mark_tracks
-- @layer
SELECT * FROM track
