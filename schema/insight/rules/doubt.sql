-- @title Data in doubt
-- @first
-- @advice Numbers of this data may be wrong: correct data may do this, and wrong data usually does. Compare one with the vendor's tool before you rely on it.
-- @source the checks of msprof check --files
-- @each
SELECT word(what) AS subject, 'note' AS severity, about AS _about FROM told_standing WHERE word = 'in doubt' ORDER BY place
-- @rows
SELECT word(says) AS "Should be true", failed AS "Failed", checked AS "Of", coalesce(word(found) || coalesce(word(' (') || file || word(')'), ''), file) AS "Found"
FROM data_check WHERE about = :_about AND failed > 0 ORDER BY rowid
