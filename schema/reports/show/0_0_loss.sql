-- @title Lost data
-- @each
SELECT what, amount, say('table.loss', 'amount', amount, 'what', word(what)) AS heading
FROM loss
