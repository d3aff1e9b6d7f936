-- @style default
-- @title Left out
-- @facts
-- @each
SELECT model, model_id, count(*) AS inferences,
  say(CASE count(*) WHEN 1 THEN 'table.left_out.one' ELSE 'table.left_out' END, 'model', coalesce(nullif(model, ''), word('unknown model')), 'count', count(*),
    'pictures', group_concat(current_pic, ', ') FILTER (WHERE place <= 10) || CASE WHEN count(*) > 10 THEN ', ...' ELSE '' END) AS heading
FROM (SELECT *, row_number() OVER (PARTITION BY device_id, model, model_id ORDER BY current_pic) AS place FROM temp.left_out) GROUP BY device_id, model, model_id
