-- What users and reports query. Only built-in functions: any sqlite3 shell can open it.

CREATE VIEW tasks AS
SELECT t.device_id, NULL AS model_id, t.stream_id, t.task_id, t.start_ns, t.dur_ns,
       o.name, o.type, 'AI_CORE' AS task_type,
       NULL AS model, NULL AS batch, NULL AS current_pic, NULL AS source_id, t.rowid AS row
FROM hwts_task t LEFT JOIN hwts_op o ON o.id = t.hwts_op_id;
