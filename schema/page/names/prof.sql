-- The operator or the kernel of a task, else its kind; and a call, by its level and type.
-- @each
SELECT CASE :form WHEN 'host' THEN coalesce((SELECT name FROM call_kind WHERE id = (:k1 << 32 | :k2)), (SELECT name FROM type_name WHERE level = :k1 AND type = :k2),
    'level ' || :k1 || ', type ' || :k2)
  ELSE coalesce((SELECT name FROM name WHERE hash = :k1), (SELECT name FROM name WHERE hash = :k2), (SELECT name FROM task_kind WHERE kind = :k3),
    (SELECT name FROM subtask_kind WHERE kind = :k3 - 256), nullif(printf('%u', nullif(:k1, -1)), '0'), 'kind ' || :k3) END AS name
