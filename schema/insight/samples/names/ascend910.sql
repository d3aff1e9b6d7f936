-- The name of an operator. This data has no calls.
-- @each
SELECT CASE WHEN :k4 = 1 THEN 'processor ' || :k2 || ' of the AI CPU' WHEN :k4 = 2 THEN coalesce((SELECT max(name) FROM temp.collective WHERE point = :k2), 'collective')
    WHEN :k3 >= 0 THEN 'stream ' || :k3 || ' task ' || :k2 ELSE coalesce((SELECT name FROM hwts_op WHERE id = :k2), 'unnamed') END AS name,
  NULL AS shape, NULL AS layers
-- @rows
SELECT 'unnamed' AS name
