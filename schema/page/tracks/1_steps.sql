-- Inferences or iterations, above their tasks.
-- @form step
-- @process {title}
-- @thread {steps}
-- @each
SELECT title, word(upper(substr(what, 1, 1)) || substr(what, 2)) AS what, say('track.' || what) AS steps, 0 AS clock, id AS _grp FROM temp.step_group WHERE what <> 'collection' ORDER BY id
-- @rows
SELECT id AS row, 0 AS track, :what || ' ' || label AS k1, NULL AS k2, NULL AS k3, start_ns, span_ns AS dur_ns FROM temp.step WHERE grp = :_grp ORDER BY start_ns, id
