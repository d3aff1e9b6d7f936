-- @use prof_stamp
-- @each
SELECT time FROM stamp WHERE EXISTS (SELECT 1 FROM cpu_count WHERE kind = 'ctrl' AND event = 17 AND count <> 0)
-- @rows
SELECT device_id AS "Device_id", function AS "Function", module AS "Module", cycles AS "Cycles", repr(rounded(cycles * 100.0 / total(cycles) OVER (PARTITION BY device_id), 3)) AS "Cycles(%)"
FROM (SELECT device_id, function, module, total_int(count) AS cycles FROM cpu_count WHERE kind = 'ctrl' AND event = 17 AND count <> 0 GROUP BY device_id, function, module)
ORDER BY device_id, cycles DESC, function, module
