-- The views that users and reports query. They use only built-in functions, so that any sqlite3 shell can open a database.

-- All tasks of a job.
CREATE VIEW tasks AS
SELECT t.device_id,
       NULL AS model_id, -- NULL
       t.stream_id, t.task_id, t.start_ns, t.dur_ns,
       o.name, o.type,
       'AI_CORE' AS task_type, -- AI_CORE
       NULL AS model, NULL AS batch, NULL AS current_pic, NULL AS source_id, -- NULL
       t.rowid AS row -- the rowid in hwts_task
FROM hwts_task t LEFT JOIN hwts_op o ON o.id = t.hwts_op_id;
