-- @file cpu_usage_{device_id}_{scope}
-- @newline crlf
-- @use ascend2022_scope
-- @each
SELECT * FROM scope WHERE EXISTS (SELECT 1 FROM cpu_kind c WHERE c.device_id = scope.device_id)
-- @rows
SELECT kind AS "Cpu Type", fixed(user / nullif(ticks, 0) * 100, 6) AS "User(%)", fixed(system / nullif(ticks, 0) * 100, 6) AS "Sys(%)",
  fixed(iowait / nullif(ticks, 0) * 100, 6) AS "IoWait(%)", fixed(irq / nullif(ticks, 0) * 100, 6) AS "Irq(%)",
  fixed(softirq / nullif(ticks, 0) * 100, 6) AS "Soft(%)", fixed(idle / nullif(ticks, 0) * 100, 6) AS "Idle(%)"
FROM cpu_kind WHERE device_id = :device_id ORDER BY kind
