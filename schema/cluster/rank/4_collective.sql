-- Collective operations.
-- @family prof
-- @title collective
-- @each
SELECT 1 AS _any
-- @rows
SELECT device_id, communicator, type, number, start_ns, dur_ns, wait_ns, transmit_ns, rank_size FROM temp.aggregate_collective
