-- @file sys_mem_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE EXISTS (SELECT 1 FROM memory_mean m WHERE m.device_id = scope.device_id)
-- @rows
SELECT total_kb AS "Memory Total(kB)", free_kb AS "Memory Free(kB)", buffers_kb AS "Buffers(kB)", cached_kb AS "Cached(kB)",
  shared_kb AS "Share Memory(kB)", limit_kb AS "Commit Limit(kB)", committed_kb AS "Committed AS(kB)", huge_pages AS "Huge Pages Total(pages)",
  huge_pages_free AS "Huge Pages Free(pages)"
FROM memory_mean WHERE device_id = :device_id
