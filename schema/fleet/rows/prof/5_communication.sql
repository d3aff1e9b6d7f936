-- Collective operations of a device by group and type.
-- @title communication
-- @types int? text? text? int int int int
-- @each
SELECT 1 AS _one
-- @rows
SELECT device_id, communicator, type, operations, total_ns, shortest_ns, longest_ns FROM temp.aggregate_communication
