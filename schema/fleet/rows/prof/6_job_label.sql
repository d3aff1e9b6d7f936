-- The sizes of groups whose names tell which they are: 'tp', 'tp_0_1', 'tp-group', 'tensor_model_parallel'. A group whose name tells several kinds gets no label. What
-- the user says is not asked here.
-- @title job_label
-- @types text text
-- @each
SELECT 1 AS _one
-- @rows
WITH kind(name, long) AS (
  VALUES ('tp', '*tensor*parallel*'), ('pp', '*pipeline*parallel*'), ('dp', '*data*parallel*'), ('cp', '*context*parallel*'), ('ep', '*expert*parallel*')
), met AS (
  SELECT DISTINCT '_' || lower((SELECT n.name FROM name n WHERE n.hash = o.step_group)) || '_' AS name, rank_size FROM comm_op o WHERE rank_size BETWEEN 1 AND 1000000
), told AS (
  SELECT min(k.name) AS name, m.rank_size FROM met m JOIN kind k ON m.name GLOB '*[^a-z]' || k.name || '[^a-z]*' OR m.name GLOB k.long
  GROUP BY m.name, m.rank_size HAVING count(*) = 1
)
SELECT name, CAST(max(rank_size) AS TEXT) AS value FROM told WHERE name NOT IN (SELECT key FROM json_each(:labels)) GROUP BY name HAVING min(rank_size) = max(rank_size)
