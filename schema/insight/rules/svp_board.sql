-- @title Something else at work on the board
-- @advice Stop the other program and collect again, or compare with a collection that has it: msprof diff.
-- @source samples of collect --board-stats; what texts of /proc/umap mean is unverified on hardware
-- @each
SELECT word(what) AS subject, CASE WHEN what IN ('NPU', 'AI-ISP', 'processors') THEN 'medium' ELSE 'low' END AS severity,
  CASE WHEN place <= 4 THEN 'low' ELSE 'high' END AS confidence, place AS _place
FROM board_other ORDER BY place
-- @rows
SELECT word(text) AS "Sign" FROM board_other WHERE place = :_place
-- @why
SELECT 'the board was not sampled: collect --board-stats' WHERE NOT EXISTS (SELECT 1 FROM board_sample)
