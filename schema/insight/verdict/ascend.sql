-- @family prof ascend2022 ascend910
-- @title Verdict
-- @needs tasks
-- @use verdict
-- @each
SELECT text, legend FROM (SELECT place, head || tail AS text, legend FROM told UNION ALL SELECT place, text, NULL FROM rest) ORDER BY place
