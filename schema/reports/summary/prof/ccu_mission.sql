-- @use prof_stamp
-- @each
SELECT time, _exact_wall AS _wall FROM stamp WHERE EXISTS (SELECT 1 FROM ccu_mission)
-- @rows
SELECT device_id AS "Device_id", stream_id AS "Stream ID", task_id AS "Task Id", loop_instr_id AS "Instruction ID", us(loop_ns + :_wall) || char(9) AS "Instruction Start Time(us)",
  repr(loop_dur_ns / 1000.0) || char(9) AS "Instruction Duration(us)", wait_instr_id AS "Notify Instruction ID", coalesce(rank_id, 0) AS "Notify Rank ID",
  repr(coalesce(wait_dur_ns, 0) / 1000.0) || char(9) AS "Notify Duration(us)"
FROM ccu_part ORDER BY row, rank_id DESC
