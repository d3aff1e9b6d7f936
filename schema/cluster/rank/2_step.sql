-- Steps of each device, the first 1,000. computing_ns, aicpu_ns, exposed_ns (communication that nothing overlaps) and free_ns add up to span_ns.
-- @family prof
-- @title step
-- @each
SELECT 1 AS _any
-- @rows
SELECT device_id, number, label, start_ns, span_ns, computing_ns, aicpu_ns, communication_ns, exposed_ns, idle_ns AS free_ns, bubble_ns
FROM temp.aggregate_step WHERE device_id IS NOT NULL ORDER BY device_id, number LIMIT 1000
