-- What the AI CPU recorded of the tasks of run whose operators are known; without any operator all of them.
, node AS (
  SELECT run.id, coalesce(run.op_name, 'N/A') AS name, first AS start_ms, last - first AS dur_ms,
    (a.memcpy_start_us - a.compute_start_us) / 1000.0 AS compute_ms, (a.memcpy_end_us - a.memcpy_start_us) / 1000.0 AS memcpy_ms,
    a.dispatch_us / 1000.0 AS dispatch_ms, a.total_us / 1000.0 AS total_ms
  FROM run JOIN aicpu_node a ON a.rowid = run.node_row
  WHERE run.unit = 1 AND (run.described OR NOT EXISTS (SELECT 1 FROM op))
)
