-- The host's part of an iteration: the n-th execute call executes the n-th iteration, and all later calls follow.
, stack AS (
  SELECT c.*, row_number() OVER (ORDER BY start_ns, row) AS n FROM call c WHERE name = 'aclmdlExecute'
), since AS (
  SELECT c.* FROM call c WHERE start_ns >= (SELECT start_ns FROM stack WHERE n = :_iteration)
)
