-- @family svp
-- @style any
-- @thread Inferences
-- @use svp_models
-- @each
SELECT * FROM model
-- @rows
SELECT 2 AS layer, :_process AS process, -1 AS track, 'Inference ' || coalesce(i.current_pic, i.rowid) AS name, i.start_ns AS start_ns,
  i.dur_ns AS dur_ns, i.tasks AS "args.Tasks",
  decimal(i.mac_ppen * 100, coalesce(i.cycles, i.ticks * 100), 2) AS "args.Mac Ppen Ratio", decimal(i.vec_ppen * 100, coalesce(i.cycles, i.ticks * 100), 2) AS "args.Vec Ppen Ratio",
  i.ddr_read_bytes AS "args.DDR Read(byte)", i.ddr_write_bytes AS "args.DDR Write(byte)", :_label AS _process
FROM inference i WHERE i.first_row BETWEEN :_core_first AND :_core_last AND i.start_ns IS NOT NULL{range device i.start_ns; i.start_ns + i.dur_ns}{device i.device_id}
