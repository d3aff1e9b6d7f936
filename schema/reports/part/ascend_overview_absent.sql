-- Why there is no overview of a device.
SELECT CASE WHEN EXISTS (SELECT 1 FROM temp.range) THEN 'no task runs in an iteration'
  WHEN NOT c.chosen OR NOT EXISTS (SELECT 1 FROM main.tasks) THEN 'no task with a start and an end'
  WHEN c.model_id IS NOT NULL AND (SELECT value FROM meta WHERE key = 'family') = 'ascend910' THEN 'this generation of data does not tell models apart: --iteration-id N chooses an iteration'
  ELSE 'no iteration of this model and number was recorded apart from others' END
FROM temp.choice c
