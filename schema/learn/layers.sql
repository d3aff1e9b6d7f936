-- The layers of each model, and the tasks that run them.
SELECT n.model_id, l.layer_id, l.name, l.task_id, l.stream_id FROM layer l JOIN net n ON n.id = l.net_id
ORDER BY n.model_id, l.layer_id, l.task_id
