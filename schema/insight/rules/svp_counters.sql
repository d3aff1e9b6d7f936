-- @title Counters that cannot be true
-- @advice Counters are not shown: this hardware has them in other places than the layout. msprof learn -dir JOB finds these from tables of the vendor's tool.
-- @source the meaning of the counters: a part is not larger than the whole
-- @each
SELECT word('all tasks of the core') AS subject, 'medium' AS severity FROM counters WHERE shown IS NULL
-- @rows
SELECT word(says) AS "Should be true", failed AS "Failed", checked AS "Of" FROM data_check WHERE about = 'counters' AND failed > 0 ORDER BY rowid
-- @why
SELECT 'no task of the core was recorded' WHERE NOT EXISTS (SELECT 1 FROM inference)
