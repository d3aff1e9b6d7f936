-- @title Data that contradicts itself
-- @first
-- @advice Do not use numbers of this data. It may be of another chip, frequency or layout: msprof check has all checks; msprof learn finds counters from the vendor's tables.
-- @source the checks of msprof check
-- @each
SELECT word(what) AS subject, 'high' AS severity, about AS _about FROM standing WHERE standing = 'contradicted' AND about <> 'counters' ORDER BY place
-- @rows
SELECT word(says) AS "Should be true", failed AS "Failed", checked AS "Of",
  coalesce(word(found) || coalesce(word(' (') || file || word(')'), ''), file) AS "Found" FROM data_check WHERE about = :_about AND failed > 0 ORDER BY rowid
