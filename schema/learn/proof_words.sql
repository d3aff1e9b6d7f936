-- The layers of all tasks, for the proof of what was learned.
SELECT net_id, task_id, stream_id, CAST(layer_ids AS TEXT), names, types, oris FROM op ORDER BY net_id, task_id, stream_id
