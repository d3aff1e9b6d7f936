-- Operators in steps, the 200 with the most time of each device. Communication, of class 4, is in the other tables.
-- @family prof
-- @title operator
-- @each
SELECT 1 AS _any
-- @rows
WITH op AS (
  SELECT device_id, name, type, total_int(tasks) AS tasks, total_int(total_ns) AS total_ns, min(shortest_ns) AS shortest_ns, max(longest_ns) AS longest_ns
  FROM temp.aggregate_operator WHERE device_id IS NOT NULL AND class <> 4 GROUP BY device_id, name, type
)
SELECT device_id, name, type, tasks, total_ns, shortest_ns, longest_ns
FROM (SELECT *, row_number() OVER (PARTITION BY device_id ORDER BY total_ns DESC, name, type) AS place FROM op) WHERE place <= 200 ORDER BY device_id, place
