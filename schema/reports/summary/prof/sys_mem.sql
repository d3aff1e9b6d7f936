-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM memory_sample)
-- @rows
SELECT max(total_kb) AS "Memory Total(KB)", max(total_kb - available_kb) AS "Peak Used(KB)", min(free_kb) AS "Least Free(KB)",
  min(available_kb) AS "Least Available(KB)", max(buffers_kb) AS "Peak Buffers(KB)", max(cached_kb) AS "Peak Cached(KB)",
  max(shared_kb) AS "Peak Share Memory(KB)"
FROM memory_sample
