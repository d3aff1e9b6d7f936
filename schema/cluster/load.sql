-- The rows of one aggregate.
INSERT INTO rank_row SELECT d.id, r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6, r.value ->> 7, r.value ->> 8,
  r.value ->> 9, r.value ->> 10, r.value ->> 11, r.value ->> 12, r.value ->> 13,
  r.value ->> 14, d.text ->> '$.name' FROM document d, json_each(d.text, '$.rank') r;
INSERT INTO step_row SELECT d.id, r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6, r.value ->> 7, r.value ->> 8,
  r.value ->> 9, r.value ->> 10 FROM document d, json_each(d.text, '$.step') r;
INSERT INTO operator_row SELECT d.id, r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6
FROM document d, json_each(d.text, '$.operator') r;
INSERT INTO collective_row SELECT d.id, r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6, r.value ->> 7, r.value ->> 8
FROM document d, json_each(d.text, '$.collective') r;
INSERT INTO link_row SELECT d.id, r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6, r.value ->> 7
FROM document d, json_each(d.text, '$.link') r;
