-- Operators with the times of their tasks.
-- @title operator
-- @types int? text? text text? text int int int int int
-- @each
SELECT 1 AS _one
-- @rows
SELECT device_id, track, name, type, class_title AS class, tasks, total_ns, shortest_ns, longest_ns, alone_ns FROM temp.aggregate_operator
