-- @family any
-- @style any
-- @title Lost data
-- @each
SELECT what, amount, amount || ' ' || what || ' (msprof check tells where): the tables below are incomplete' AS heading
FROM loss
