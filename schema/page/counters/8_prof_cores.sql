-- How busy sampled cores were, on average over those of a kind that were sampled at the same time.
-- @each
SELECT DISTINCT 'Device ' || device_id || CASE kind WHEN 'aic' THEN ', cube cores' ELSE ', vector cores' END AS track, device_id AS _device, kind AS _kind
FROM core_sum WHERE samples > 1 ORDER BY device_id, kind
-- @use prof_core_use
-- @rows
SELECT at_ns - span_ns, 100000.0 * total(cycles) / total(mhz * span_ns) AS "Sampled cores busy(%)" FROM core_use WHERE device_id = :_device AND kind = :_kind
GROUP BY at_ns - span_ns ORDER BY 1
