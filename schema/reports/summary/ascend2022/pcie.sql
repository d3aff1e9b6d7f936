-- @file pcie_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE EXISTS (SELECT 1 FROM pcie_mean p WHERE p.device_id = scope.device_id)
-- @rows
-- From bytes a us to MB/s. A minimum of 0xfffff means that no value was counted.
SELECT mode AS "Mode", rounded(CASE rounded(least, 6) WHEN 1048575 THEN 0 ELSE rounded(least, 6) END * 0.95367431640625, 6) AS "Min",
  rounded(rounded(most, 6) * 0.95367431640625, 6) AS "Max", rounded(rounded(mean, 6) * 0.95367431640625, 6) AS "Avg"
FROM pcie_mean WHERE device_id = :device_id ORDER BY place
