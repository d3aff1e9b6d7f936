-- What the steps of a job add up to; own_ns is what computed and what the AI CPU did alone.
-- @title pace
-- @family any
-- @style any
-- @types int int int int int
-- @each
SELECT 1 AS _one
-- @rows
SELECT count(*) AS steps, coalesce(total_int(span_ns), 0) AS span_ns, coalesce(total_int(computing_ns + aicpu_ns), 0) AS own_ns,
  coalesce(total_int(exposed_ns), 0) AS communication_ns, coalesce(total_int(idle_ns), 0) AS idle_ns FROM temp.aggregate_step
