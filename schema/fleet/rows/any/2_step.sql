-- Steps: inferences, iterations, or a collection as a whole. The parts add up to the span: what computed, what the AI CPU and communication did alone, and
-- idle time.
-- @title step
-- @types int? text? int text? int int int int int int
-- @each
SELECT 1 AS _one
-- @rows
SELECT device_id, track, number, label, start_ns, span_ns, computing_ns, aicpu_ns, exposed_ns AS communication_ns, idle_ns FROM temp.aggregate_step
