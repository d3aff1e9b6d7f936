-- @thread Inferences
-- @use svp_runs
-- @use svp_tracks
-- @each
SELECT _process, _label, _device, _batch, _net, _tick, _shown, _percent, i.first AS _first_inference, i.last AS _last_inference
FROM track t LEFT JOIN (SELECT device_id, net_id, batch, min(rowid) AS first, max(rowid) AS last FROM inference GROUP BY device_id, net_id, batch) i
  ON i.device_id IS t._device AND i.net_id IS t._net AND i.batch IS t._batch
WHERE target = 'aicore_task' GROUP BY _process
-- @rows
SELECT 2 AS layer, :_process AS process, -1 AS track, 'Inference ' || coalesce(i.current_pic, i.rowid) AS name, i.start_ns AS start_ns,
  i.dur_ns AS dur_ns, i.tasks AS "args.Tasks",
  decimal(i.mac_ppen * :_percent, i.ticks * :_tick, 2) AS "args.Mac Ppen Ratio", decimal(i.vec_ppen * :_percent, i.ticks * :_tick, 2) AS "args.Vec Ppen Ratio",
  i.ddr_read_bytes * :_shown AS "args.DDR Read(byte)", i.ddr_write_bytes * :_shown AS "args.DDR Write(byte)", :_label AS _process
FROM inference i WHERE i.rowid BETWEEN :_first_inference AND :_last_inference
  AND i.net_id IS :_net AND i.device_id IS :_device AND i.batch IS :_batch AND i.start_ns IS NOT NULL{range device i.start_ns; i.start_ns + i.dur_ns}{step i.current_pic}
